"""The headwater program. Before it imports anything else it leaves the folder that it was started in."""

from headwater.runtime.safe_start import leave_current_folder

leave_current_folder()
