import {Brain, Columns3, ScrollText, Star} from 'lucide-react'
import {define} from './icons.tsx'

/** Icons of favourites and of models, none of them in a first load. */
export const InstructionsIcon = /* @__PURE__ */ define(ScrollText)
export const ReasoningIcon = /* @__PURE__ */ define(Brain)
export const SeveralIcon = /* @__PURE__ */ define(Columns3)
export const StarIcon = /* @__PURE__ */ define(Star)
export const StarFilledIcon = /* @__PURE__ */ define(Star, {filled: true})
