// Parts that views load when they first need them: their first load takes seconds on a busy machine, and is no wait of
// a test.
import '#ui/overlays/dialog-overlay.tsx'
import '#ui/overlays/drawer-overlay.tsx'
import '#ui/overlays/menu-overlay.tsx'
import '#ui/overlays/popover-overlay.tsx'
import '#ui/overlays/tooltip-overlay.tsx'
