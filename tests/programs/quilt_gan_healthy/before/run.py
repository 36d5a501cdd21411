"""A GAN for quilt patches that also matches summary statistics, with an averaged maker for the pictures."""
import numpy as np

from studio import Critic, Maker, moments_np, patches


def picture(row):
    return "".join(" .:#"[min(3, int(4 * v))] for v in row[:6])


def main(rounds=5, batch=16):
    rng = np.random.default_rng(18)
    real = patches(64, rng)
    wanted = moments_np(real).mean(axis=0).astype(np.float32)
    maker, critic = Maker(), Critic()
    best, patience = np.inf, 2
    for n in range(rounds):
        c_loss = np.mean([critic.learn(real[rng.choice(len(real), batch)], maker) for _ in range(2)])
        m_loss, drift = maker.learn(critic, batch, wanted)
        print(f"round {n}: critic {c_loss:.4f} right {critic.hits[-1]:.2f} maker {m_loss:.4f} drift {drift:.3f}")
        if drift < best:
            best, patience = drift, 2
        else:
            patience -= 1
        if patience == 0:
            break
    live = maker.net.get_weights()
    maker.net.set_weights(maker.shadow)
    shown = maker.draw(3).numpy()
    maker.net.set_weights(live)
    print([picture(row) for row in shown], moments_np(shown).round(3)[0].tolist())


main()
