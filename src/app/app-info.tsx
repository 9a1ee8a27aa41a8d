import {createContext, useContext} from 'react'

/** What the page knows about its installation (docs/architecture.md §3). */
export type AppInfo = {
  /** The test form of the services is in use: the badge shows (spec §2). */
  isTest: boolean
  /** `{platform}/terms` */
  termsLink: string
  /** Address of the embedded login page; a new attempt each time it is asked for. */
  loginFrame: () => string
}

export const AppInfoContext = createContext<AppInfo>({
  isTest: false,
  termsLink: '/terms',
  loginFrame: () => 'about:blank',
})
export const useAppInfo = () => useContext(AppInfoContext)
