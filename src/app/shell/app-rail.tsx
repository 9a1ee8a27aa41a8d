import {useSelector} from '@xstate/react'
import {siteNameOf} from '#domain/site-name.ts'
import {AccountMenu} from '#features/shell/account-menu.tsx'
import {Rail, type Section} from '#features/shell/rail.tsx'
import {ZoneBoundary} from '#features/shell/zone-boundary.tsx'
import {faviconOf} from '#browser/page.ts'
import {type GroupLink} from '#features/shell/tools.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {useAppActor, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {TaskTrayButton} from './task-tray-button.tsx'

type AppRailProps = {groups: readonly GroupLink[]; section: Section | undefined; path: string}

/** The rail with the site's logo and the user's account. What a button opens fails without the rail. */
export function AppRail({groups, section, path}: AppRailProps) {
  const root = useRoot()
  const info = useAppInfo()
  const site = useSelector(useAppActor('site'), selectSite)
  const user = useSelector(useAppActor('auth'), selectUser)
  return (
    <Rail
      groups={groups}
      section={section}
      siteTitle={siteNameOf(site?.title)}
      logos={[site?.logo, site?.favicon].map((image) => faviconOf(image, document.baseURI))}
      tasks={
        <ZoneBoundary zone="tasks" floating resetKey={path}>
          <TaskTrayButton isSmall={false} />
        </ZoneBoundary>
      }
      account={
        <ZoneBoundary zone="account" floating resetKey={path}>
          <AccountMenu
            user={user}
            load={async () => (await import('../account/account-menu-entries.ts')).loadAccountEntries(root, info)}
          />
        </ZoneBoundary>
      }
    />
  )
}
