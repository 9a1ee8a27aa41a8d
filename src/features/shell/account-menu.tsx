import {useState} from 'react'
import {type User} from '#contract/management.ts'
import {Avatar} from '#ui/avatar.tsx'
import {loadPart} from '#ui/load-part.ts'
import {Menu} from '#ui/menu.tsx'
import {useText} from '#ui/text.tsx'
import type {AccountActions, accountEntries} from './account-entries.tsx'
import styles from './rail.module.css'

/** The signed-in user; commands, settings, profile, site, log out. The entries load with the first press. */
export function AccountMenu({user, ...actions}: AccountActions & {user: User | undefined}) {
  const text = useText()
  const [entriesOf, setEntriesOf] = useState<typeof accountEntries>()
  const name = user?.nickname ?? user?.username ?? user?.email ?? user?.id ?? ''
  const label = text('index.account')
  return (
    <Menu
      label={label}
      entries={entriesOf?.(text, {...actions, label: user?.email ?? name, isSignedIn: user !== undefined}) ?? []}
      trigger={({onClick, ...trigger}) => (
        <button
          {...trigger}
          type="button"
          className={styles.item}
          aria-label={label}
          onClick={() =>
            void loadPart(() => import('./account-entries.tsx')).then(
              (loaded) => {
                setEntriesOf(() => loaded.accountEntries)
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
