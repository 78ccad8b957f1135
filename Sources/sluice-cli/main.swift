import Glibc
import Sluice

StandardDescriptors.reserve()
Signals.install()
exit(Program.run().rawValue)
