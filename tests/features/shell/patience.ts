import {configure} from '@testing-library/react'
import {beforeAll, vi} from 'vitest'

// Views fetch their overlays when they first open; a busy machine may need longer than a second to compile them.
configure({asyncUtilTimeout: 10_000})
vi.setConfig({testTimeout: 40_000})
beforeAll(async () => {
  await Promise.all([
    import('#ui/overlays/dialog-overlay.tsx'),
    import('#ui/overlays/menu-overlay.tsx'),
    import('#ui/overlays/popover-overlay.tsx'),
    import('#ui/overlays/drawer-overlay.tsx'),
  ])
}, 60_000)
