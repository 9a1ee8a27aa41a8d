import {Keyboard, Printer} from 'lucide'
import {define} from './icons.tsx'

/** Icons of the command palette, kept out of the chat's first load. */
export const KeyboardIcon = /* @__PURE__ */ define(Keyboard)
export const PrintIcon = /* @__PURE__ */ define(Printer)
