import {Share2} from 'lucide'
import {define} from './icons.tsx'

/** Kept out of the chat's first load. */
export const ShareIcon = /* @__PURE__ */ define(Share2, {mirrored: true})
