import {Link} from '@tanstack/react-router'
import {LanguageIcon, LogOutIcon, SettingsIcon} from '#ui/account-icons.tsx'
import {ConsoleIcon, UserIcon} from '#ui/icons.tsx'
import {SearchIcon} from '#ui/later-icons.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import type {Text} from '#ui/text.tsx'
import type {AccountFacts} from './account-menu.tsx'

type Account = AccountFacts & {
  /** The signed-in user may change the site. */
  isEditor: boolean
  onPalette: () => void
  onSettings: () => void
  onSignIn: () => void
  onSignOut: () => void
}

/** The entries of the account menu. */
export const accountEntries = (
  text: Text,
  {label, isSignedIn, isEditor, onPalette, onSettings, onSignIn, onSignOut}: Account,
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
      ...(isEditor
        ? [{id: 'site', label: text('index.menuSite'), icon: <LanguageIcon />, link: <Link to="/site" />}]
        : []),
    ],
  },
  {kind: 'separator', id: 'end'},
  isSignedIn
    ? {id: 'sign-out', label: text('index.signOut'), icon: <LogOutIcon />, onSelect: onSignOut}
    : {id: 'sign-in', label: text('index.signIn'), icon: <UserIcon />, onSelect: onSignIn},
]
