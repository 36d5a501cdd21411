"""What runs in the user's interpreter (3.9 or newer), which has TensorFlow but none of our packages.

Only the standard library, NumPy and TensorFlow are imported here. The package is loaded from its folder under a name
of its own, by ``start`` for one program or by ``serving`` for many; an order (JSON) says what is to be done:

- always ``script``, ``arguments``, ``folder`` (paths are reported relative to it), ``report`` (a file descriptor) and
  ``seed``;
- a run that is recorded: ``eager`` (run tf.functions eagerly), ``stop_after`` (gradient calls, or null), ``keep`` or
  ``given`` (a folder for gradients, or null), ``lenient`` (let it come further than TensorFlow does),
  ``capped`` (end training loops early);
- a check of numbers: ``probe`` (its limit in seconds), ``stops``, ``scratch`` and ``capped``;
- an explaining run: ``explaining``, the folder of the package that explains, and ``eager``.

One JSON record a line goes to the descriptor, so that what was seen before a kill is not lost, and so that the
program's own output cannot mix with it:

- ``start``: TensorFlow is imported, the program begins;      ``unusable``: TensorFlow could not be imported
- ``call``: one gradient call: place, target and sources by value, the gradient of each source (null: None)
- ``error``: an exception that ended the program or a thread;  ``broken``: the recording itself failed
- ``numbers``: what a check of numbers found
- ``end``: the program is over: exit status, number of calls, the trained weights, the loops that were ended
  early, the data sets that had stand-ins
"""
