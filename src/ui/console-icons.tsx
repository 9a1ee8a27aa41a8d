import {Box, ChartColumn, ReceiptText, Undo2} from 'lucide'
import {define} from './icons.tsx'

/** Icons of the pages of the console, kept out of the chat's first load. */
export const ApplicationsIcon = /* @__PURE__ */ define(Box)
export const OrdersIcon = /* @__PURE__ */ define(ReceiptText)
export const UsageIcon = /* @__PURE__ */ define(ChartColumn)
export const RefundIcon = /* @__PURE__ */ define(Undo2, {mirrored: true})
