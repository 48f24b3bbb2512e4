# Finds what comes from outside. Filled in below per dependency; nothing here downloads anything.
