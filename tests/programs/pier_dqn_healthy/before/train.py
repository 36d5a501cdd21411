"""Berth control by prioritised double Q-learning."""
import numpy as np

from pier import DoubleAgent, Pier, Replay, summarise

EPISODES, BATCH = 5, 12

rng = np.random.default_rng(10)
pier = Pier(seed=10)
agent = DoubleAgent(width=4, actions=len(Pier.actions))
memory = Replay(60, 4)
totals = np.zeros(EPISODES)

for episode in range(EPISODES):
    state, final = pier.reset(), False
    while not final:
        action = agent.act(state, 0.8 ** episode, rng)
        after, reward, final = pier.step(action)
        memory.add(state=state, after=after, action=action, reward=reward, final=final)
        state = after
        totals[episode] += reward
        if memory.count > BATCH and memory.count % 4 == 0:
            picked, rows, weight = memory.draw(BATCH, rng)
            memory.rate(picked, agent.learn(rows, weight))
    losses = [row["loss"] for row in agent.log[-3:]]
    print(f"episode {episode}: reward {totals[episode]:.2f} loss {summarise(losses)[0] if losses else 0:.4f} q {float(agent.average_q):.3f}")

best = max(range(EPISODES), key=lambda k: totals[k])
print("best episode", best, "spread of values", round(np.mean([row["spread"] for row in agent.log]), 4))
