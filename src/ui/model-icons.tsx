import {Brain, Columns3} from 'lucide'
import {define} from './icons.tsx'

/** Icons of the list of models. */
export const ReasoningIcon = /* @__PURE__ */ define(Brain)
export const SeveralIcon = /* @__PURE__ */ define(Columns3)
