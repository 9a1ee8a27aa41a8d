import {ArrowDown, FileText, ScrollText} from 'lucide-react'
import {define} from './icons.tsx'

/** Icons of several screens, none of them the first. */
export const ArrowDownIcon = /* @__PURE__ */ define(ArrowDown)
export const FileIcon = /* @__PURE__ */ define(FileText)
export const InstructionsIcon = /* @__PURE__ */ define(ScrollText)
