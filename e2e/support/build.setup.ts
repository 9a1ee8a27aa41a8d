import {ensureBuilt} from '../../src/tools/build.mjs'
import {removeAbandonedInstallations} from './installation.ts'

/** `npx playwright test <file>` works on a fresh clone too: the journeys need the built app. */
export default async function setUp(): Promise<void> {
  ensureBuilt()
  await removeAbandonedInstallations()
}
