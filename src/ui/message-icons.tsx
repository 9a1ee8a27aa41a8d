import {Activity, AudioLines, ChevronDown, ChevronUp, GitBranch, Grip, LetterText, Link, ListTree} from 'lucide'
import {define} from './icons.tsx'

/** Icons of a conversation's messages, kept out of the chat's first load. */
export const BranchIcon = /* @__PURE__ */ define(GitBranch, {mirrored: true})
export const FlowIcon = /* @__PURE__ */ define(Activity)
/** Not that of the media screens, which would load this file with it. */
export const GripIcon = /* @__PURE__ */ define(Grip)
export const LinkIcon = /* @__PURE__ */ define(Link)
export const NextIcon = /* @__PURE__ */ define(ChevronDown)
export const OutlineIcon = /* @__PURE__ */ define(ListTree, {mirrored: true})
export const PreviousIcon = /* @__PURE__ */ define(ChevronUp)
export const ReadAloudIcon = /* @__PURE__ */ define(AudioLines)
export const TextIcon = /* @__PURE__ */ define(LetterText)
