import {useActor, useSelector} from '@xstate/react'
import {useState} from 'react'
import {createUuid} from '#api/random.ts'
import {type Site} from '#contract/management.ts'
import {SiteForm} from '#features/site/site-form.tsx'
import {SitePage} from '#features/site/site-page.tsx'
import {tools} from '#features/shell/tools.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {type SiteActor, type SiteSnapshot} from '#machines/site/site.machine.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {actorOf, useAppActor, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {createSiteFormLogic} from '../logic/site-form.logic.ts'

const statusOf = (snapshot: SiteSnapshot) =>
  snapshot.hasTag('busy') ? 'loading' : snapshot.matches('failed') ? 'failed' : 'ready'

/** The site's settings: a form for its admins, read-only facts for others. */
export function SiteRoute() {
  const actor = useAppActor('site')
  const user = useSelector(useAppActor('auth'), selectUser)
  const site = useSelector(actor, selectSite)
  const status = useSelector(actor, statusOf)
  if (user !== undefined) return <UserSite key={user.id} actor={actor} site={site} userId={user.id} />
  return <SitePage site={site} status={status} onRetry={() => actor.send({type: 'site.load'})} />
}

const toolIds = tools.map(({id}) => id)

/** Reads the site again with the user's token: only admins receive the list of admins. */
function UserSite({actor, site, userId}: {actor: SiteActor; site: Site | undefined; userId: string}) {
  const root = useRoot()
  const {services} = useAppInfo()
  const [files] = useState(() => new Map<string, File>())
  const [logic] = useState(() =>
    createSiteFormLogic(services, {
      site: () => actorOf(root, 'site'),
      fileOf: (id) => files.get(id),
    }),
  )
  const [snapshot, send] = useActor(logic, {
    input: {origin: actor.getSnapshot().context.origin, userId, toolIds},
  })
  const isForm = snapshot.hasTag('open') || snapshot.matches('saving')
  return (
    <SitePage
      site={snapshot.context.site ?? site}
      status={snapshot.matches('loading') ? 'loading' : snapshot.matches('failed') ? 'failed' : 'ready'}
      isReadOnly={snapshot.matches('readOnly')}
      onRetry={() => send({type: 'form.load'})}
      form={
        isForm ? (
          <SiteForm
            snapshot={snapshot}
            send={send}
            tools={tools}
            onImage={(field, file) => {
              const id = createUuid()
              files.set(id, file)
              send({type: 'image.choose', field, file: {id, name: file.name, type: file.type, size: file.size}})
            }}
          />
        ) : undefined
      }
    />
  )
}
