import {Laptop, QrCode, Share2} from 'lucide-react'
import {define} from './icons.tsx'

/** Icons of the account and the referral programme, kept out of the chat's first load. */
export const DeviceIcon = /* @__PURE__ */ define(Laptop)
export const QrIcon = /* @__PURE__ */ define(QrCode)
export const ShareIcon = /* @__PURE__ */ define(Share2)
