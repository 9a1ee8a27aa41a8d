import {AudioLines, ChevronLeft, FileDown, GitBranch, LetterText, Sheet, WrapText} from 'lucide-react'
import {define} from './icons.tsx'

/** Icons of a conversation's messages, kept out of the chat's first load. */
export const BranchIcon = /* @__PURE__ */ define(GitBranch, {mirrored: true})
export const ChevronStartIcon = /* @__PURE__ */ define(ChevronLeft, {mirrored: true})
export const ReadAloudIcon = /* @__PURE__ */ define(AudioLines)
export const SaveCodeIcon = /* @__PURE__ */ define(FileDown)
export const TableIcon = /* @__PURE__ */ define(Sheet)
export const TextIcon = /* @__PURE__ */ define(LetterText)
export const WrapIcon = /* @__PURE__ */ define(WrapText, {mirrored: true})
