import {useSelector} from '@xstate/react'
import {Suspense, useState} from 'react'
import {AccountMenu} from '#features/shell/account-menu.tsx'
import {Rail, type Place} from '#features/shell/rail.tsx'
import {faviconOf} from '#browser/page.ts'
import {type GroupLink} from '#features/shell/tools.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {useAppActor} from '../actors.context.tsx'
import {TaskTrayButton} from './task-tray-button.tsx'

const Settings = lazyView(async () => (await import('./settings.tsx')).Settings)

/** The rail with the site's logo and the user's account. */
export function AppRail({groups, place}: {groups: readonly GroupLink[]; place: Place | undefined}) {
  const auth = useAppActor('auth')
  const site = useSelector(useAppActor('site'), selectSite)
  const user = useSelector(auth, selectUser)
  const [settings, setSettings] = useState(false)
  return (
    <>
      <Rail
        groups={groups}
        place={place}
        siteTitle={site?.title ?? 'Atrium'}
        logo={faviconOf(site?.favicon, document.baseURI)}
        tasks={<TaskTrayButton isSmall={false} />}
        account={
          <AccountMenu
            user={user}
            onSettings={() => setSettings(true)}
            onSignIn={() => auth.send({type: 'login.request'})}
            onSignOut={() => auth.send({type: 'logout.request'})}
          />
        }
      />
      <Suspense>{settings && <Settings open onClose={() => setSettings(false)} />}</Suspense>
    </>
  )
}
