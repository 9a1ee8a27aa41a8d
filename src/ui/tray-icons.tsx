import {Clock} from 'lucide'
import {define} from './icons.tsx'

/** Icons of the tray of tasks, kept out of the chat's first load. */
export const ClockIcon = /* @__PURE__ */ define(Clock)
