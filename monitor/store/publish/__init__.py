"""What leaves an archive: releases, reproduction packages, evidence."""
