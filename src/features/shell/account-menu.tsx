import {useState} from 'react'
import {type User} from '#contract/management.ts'
import {Avatar} from '#ui/avatar.tsx'
import {loadPart} from '#ui/load-part.ts'
import {Menu} from '#ui/menu.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {useText, type Text} from '#ui/text.tsx'
import styles from './rail.module.css'

/** `label`: who is signed in. */
export type AccountFacts = {label: string; isSignedIn: boolean}
export type AccountEntries = (text: Text, account: AccountFacts) => readonly MenuEntry[]

type AccountMenuProps = {
  user: User | undefined
  /** Loads the entries of the menu. */
  load: () => Promise<AccountEntries>
}

/** The signed-in user; commands, settings, profile, log out. The entries load with each press. */
export function AccountMenu({user, load}: AccountMenuProps) {
  const text = useText()
  const [entriesOf, setEntriesOf] = useState<AccountEntries>()
  const name = user?.nickname ?? user?.username ?? user?.email ?? user?.id ?? ''
  const label = text('index.account')
  return (
    <Menu
      label={label}
      entries={entriesOf?.(text, {label: user?.email ?? name, isSignedIn: user !== undefined}) ?? []}
      trigger={({onClick, ...trigger}) => (
        <button
          {...trigger}
          type="button"
          className={styles.item}
          aria-label={label}
          onClick={() =>
            void loadPart(load).then(
              (module) => {
                setEntriesOf(() => module)
                onClick()
              },
              // a press that could not load them is none: the next one tries again
              () => undefined,
            )
          }
        >
          <Avatar name={name} source={user?.avatar ?? undefined} />
        </button>
      )}
    />
  )
}
