import {ArrowDown, ChevronLeft, Clock, FileText, Pencil, ScrollText, Search, SendHorizontal, Trash2} from 'lucide'
import {define} from './icons.tsx'

/** Icons of several screens, none of them the first. */
export const ArrowDownIcon = /* @__PURE__ */ define(ArrowDown)
export const ChevronStartIcon = /* @__PURE__ */ define(ChevronLeft, {mirrored: true})
export const ClockIcon = /* @__PURE__ */ define(Clock)
export const DeleteIcon = /* @__PURE__ */ define(Trash2)
export const EditIcon = /* @__PURE__ */ define(Pencil)
export const FileIcon = /* @__PURE__ */ define(FileText)
export const InstructionsIcon = /* @__PURE__ */ define(ScrollText)
export const SearchIcon = /* @__PURE__ */ define(Search)
/** Beside the arrows that move a question; that of the message field is such an arrow itself. */
export const SendNowIcon = /* @__PURE__ */ define(SendHorizontal, {mirrored: true})
