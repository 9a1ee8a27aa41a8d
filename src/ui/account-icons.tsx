import {Globe, Laptop, LogOut, QrCode, Settings, Share2, Smartphone} from 'lucide'
import {define} from './icons.tsx'

/** Icons of the account and the referral programme, kept out of the chat's first load. */
export const ComputerIcon = /* @__PURE__ */ define(Laptop)
export const LanguageIcon = /* @__PURE__ */ define(Globe)
export const LogOutIcon = /* @__PURE__ */ define(LogOut, {mirrored: true})
export const PhoneIcon = /* @__PURE__ */ define(Smartphone)
export const QrIcon = /* @__PURE__ */ define(QrCode)
export const SettingsIcon = /* @__PURE__ */ define(Settings)
export const ShareIcon = /* @__PURE__ */ define(Share2)
