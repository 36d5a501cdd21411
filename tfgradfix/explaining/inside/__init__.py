"""What runs in the user's interpreter: it records a program's operations and explains each None gradient.

Only the standard library, NumPy and TensorFlow are imported here. The package is loaded from its folder by ``runs`` in
`tfgradfix/verify/inside`, whose channel and places it uses. Its own records are ``hooks`` (what the self-test found
missing), ``missing`` (a None gradient with its causes) and ``behind``.
"""
