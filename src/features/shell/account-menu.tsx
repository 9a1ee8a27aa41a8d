import {Link} from '@tanstack/react-router'
import {type User} from '#contract/management.ts'
import {Avatar} from '#ui/avatar.tsx'
import {LogOutIcon, SettingsIcon, UserIcon, ConsoleIcon, LanguageIcon} from '#ui/icons.tsx'
import {Menu} from '#ui/menu.tsx'
import {useText} from '#ui/text.tsx'
import styles from './rail.module.css'

type AccountMenuProps = {
  user: User | undefined
  onSettings: () => void
  onSignIn: () => void
  onSignOut: () => void
}

/** The signed-in user; settings, profile, site, log out. */
export function AccountMenu({user, onSettings, onSignIn, onSignOut}: AccountMenuProps) {
  const text = useText()
  const name = user?.nickname ?? user?.username ?? user?.email ?? user?.id ?? ''
  const label = user?.email ?? name
  return (
    <Menu
      label={text('index.account')}
      entries={[
        {
          kind: 'group',
          id: 'account',
          label: label === '' ? text('index.account') : label,
          items: [
            {id: 'profile', label: text('index.menuProfile'), icon: <UserIcon />, link: <Link to="/profile" />},
            {id: 'settings', label: text('index.settings'), icon: <SettingsIcon />, onSelect: onSettings},
            {id: 'console', label: text('index.console'), icon: <ConsoleIcon />, link: <Link to="/console" />},
            {id: 'site', label: text('index.menuSite'), icon: <LanguageIcon />, link: <Link to="/site" />},
          ],
        },
        {kind: 'separator', id: 'end'},
        user === undefined
          ? {id: 'sign-in', label: text('index.signIn'), icon: <UserIcon />, onSelect: onSignIn}
          : {id: 'sign-out', label: text('index.signOut'), icon: <LogOutIcon />, onSelect: onSignOut},
      ]}
      trigger={(trigger) => (
        <button type="button" className={styles.item} aria-label={text('index.account')} {...trigger}>
          <Avatar name={name} source={user?.avatar ?? undefined} />
        </button>
      )}
    />
  )
}
