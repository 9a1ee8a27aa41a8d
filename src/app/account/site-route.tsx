import {useSelector} from '@xstate/react'
import {createUuid} from '#api/random.ts'
import {type Site} from '#contract/management.ts'
import {SiteForm} from '#features/site/site-form.tsx'
import {SitePage} from '#features/site/site-page.tsx'
import {tools} from '#features/shell/tools.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {type SiteSnapshot} from '#machines/site/site.machine.ts'
import {selectIsChanged} from '#machines/site-form/site-form.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {useAppActor} from '../actors.context.tsx'
import {LeaveQuestion} from './leave-question.tsx'
import {useSiteForm} from './use-site-form.ts'

const statusOf = (snapshot: SiteSnapshot) =>
  snapshot.hasTag('busy') ? 'loading' : snapshot.matches('failed') ? 'failed' : 'ready'

/** The site's settings: a form for its admins and the operators, read-only facts for others. */
export function SiteRoute() {
  const actor = useAppActor('site')
  const user = useSelector(useAppActor('auth'), selectUser)
  const site = useSelector(actor, selectSite)
  const status = useSelector(actor, statusOf)
  if (user !== undefined) return <UserSite key={user.id} site={site} userId={user.id} />
  return <SitePage site={site} status={status} onRetry={() => actor.send({type: 'site.load'})} />
}

function UserSite({site, userId}: {site: Site | undefined; userId: string}) {
  const {snapshot, send, files, forget} = useSiteForm(userId)
  const isForm = snapshot.hasTag('open') || snapshot.hasTag('saving')
  return (
    <SitePage
      site={snapshot.context.site ?? site}
      status={snapshot.matches('loading') ? 'loading' : snapshot.matches('failed') ? 'failed' : 'ready'}
      isReadOnly={snapshot.matches('readOnly')}
      onRetry={() => send({type: 'form.load'})}
      form={
        isForm ? (
          <>
            <LeaveQuestion isChanged={selectIsChanged(snapshot)} onLeave={forget} />
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
          </>
        ) : undefined
      }
    />
  )
}
