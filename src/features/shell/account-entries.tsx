import {Link} from '@tanstack/react-router'
import {LanguageIcon, LogOutIcon, SettingsIcon} from '#ui/account-icons.tsx'
import {ConsoleIcon, SearchIcon, UserIcon} from '#ui/icons.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import type {Text} from '#ui/text.tsx'

export type AccountActions = {
  onPalette: () => void
  onSettings: () => void
  onSignIn: () => void
  onSignOut: () => void
}

type Account = AccountActions & {
  /** Who is signed in. */
  label: string
  isSignedIn: boolean
}

/** What the account menu offers. */
export const accountEntries = (
  text: Text,
  {label, isSignedIn, onPalette, onSettings, onSignIn, onSignOut}: Account,
): readonly MenuEntry[] => [
  {
    kind: 'group',
    id: 'account',
    label: label === '' ? text('index.account') : label,
    items: [
      {id: 'profile', label: text('index.profile'), icon: <UserIcon />, link: <Link to="/profile" />},
      {id: 'palette', label: text('index.palette'), icon: <SearchIcon />, onSelect: onPalette},
      {id: 'settings', label: text('index.settings'), icon: <SettingsIcon />, onSelect: onSettings},
      {id: 'console', label: text('index.console'), icon: <ConsoleIcon />, link: <Link to="/console" />},
      {id: 'site', label: text('index.menuSite'), icon: <LanguageIcon />, link: <Link to="/site" />},
    ],
  },
  {kind: 'separator', id: 'end'},
  isSignedIn
    ? {id: 'sign-out', label: text('index.signOut'), icon: <LogOutIcon />, onSelect: onSignOut}
    : {id: 'sign-in', label: text('index.signIn'), icon: <UserIcon />, onSelect: onSignIn},
]
