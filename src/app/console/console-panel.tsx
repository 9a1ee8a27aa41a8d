import {ConsoleNav} from '#features/console/console-nav.tsx'
import {GeneralBalance} from './general-balance.tsx'

/** The panel beside the console: its pages, and the rest of the general balance. */
export function ConsolePanel() {
  return <ConsoleNav foot={<GeneralBalance />} />
}
