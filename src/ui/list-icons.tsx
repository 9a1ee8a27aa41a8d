import {Archive, ArchiveRestore, CircleCheck, FolderDown, FolderUp, Pin, PinOff, Tag} from 'lucide'
import {define} from './icons.tsx'

/** Icons of the rows of the conversation list, kept out of the chat's first load. */
export const ArchiveIcon = /* @__PURE__ */ define(Archive)
export const ArchiveBackIcon = /* @__PURE__ */ define(ArchiveRestore)
export const ExportIcon = /* @__PURE__ */ define(FolderDown)
export const ImportIcon = /* @__PURE__ */ define(FolderUp)
export const SelectIcon = /* @__PURE__ */ define(CircleCheck)
export const PinIcon = /* @__PURE__ */ define(Pin)
export const PinOffIcon = /* @__PURE__ */ define(PinOff)
export const LabelIcon = /* @__PURE__ */ define(Tag)
