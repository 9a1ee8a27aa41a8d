import {ArrowDown, ChevronLeft, FileText, ScrollText, SendHorizontal} from 'lucide'
import {define} from './icons.tsx'

/** Icons of several screens, none of them the first. */
export const ArrowDownIcon = /* @__PURE__ */ define(ArrowDown)
export const ChevronStartIcon = /* @__PURE__ */ define(ChevronLeft, {mirrored: true})
export const FileIcon = /* @__PURE__ */ define(FileText)
export const InstructionsIcon = /* @__PURE__ */ define(ScrollText)
/** Beside the arrows that move a question; that of the message field is such an arrow itself. */
export const SendNowIcon = /* @__PURE__ */ define(SendHorizontal, {mirrored: true})
