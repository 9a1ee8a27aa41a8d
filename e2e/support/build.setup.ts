import {ensureBuilt} from '../../src/tools/build.mjs'

/** `npx playwright test <file>` works on a fresh clone too: the journeys need the built app. */
export default function setUp(): void {
  ensureBuilt()
}
