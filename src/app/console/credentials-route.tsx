import {Link, useParams} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {createCredentialsApi} from '#api/credentials.ts'
import {chatModels} from '#contract/models.ts'
import {toApiKey, type ApiKey} from '#domain/api-key.ts'
import {applicationName} from '#features/console/application-table.tsx'
import {ConsolePage} from '#features/console/console-page.tsx'
import {CreateKeyDialog, RevokeKeyDialog} from '#features/console/key-dialogs.tsx'
import {KeyTable, keySortKeys} from '#features/console/key-table.tsx'
import {ListBody} from '#features/console/list-body.tsx'
import {LoadProblem} from '#features/console/load-problem.tsx'
import {SnippetPanel} from '#features/console/snippet-panel.tsx'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {selectPage} from '#machines/resource-list/resource-list.machine.ts'
import {Button} from '#ui/button.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {AddIcon} from '#ui/icons.tsx'
import {KeyIcon} from '#ui/key-icons.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {Pager} from '#ui/table/pager.tsx'
import {useText} from '#ui/text.tsx'
import {useSessionActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {pagerLink} from './page-link.tsx'
import {useApiKeys} from './use-api-keys.ts'
import {pageNumber, pageRequest, useAddressList} from './use-address-list.ts'

const pageSize = 20
const keys = ['page']

/** `/console/applications/{id}/credentials` */
export function CredentialsRoute() {
  const {applicationId} = useParams({from: '/shell/console/applications/$applicationId/credentials'})
  return <CredentialsPage key={applicationId} applicationId={applicationId} />
}

function CredentialsPage({applicationId}: {applicationId: string}) {
  const text = useText()
  const {apiBase} = useAppInfo()
  const model = useModel()
  const list = useKeyList(applicationId)
  const apiKeys = useApiKeys({applicationId, refreshList: () => list.send({type: 'list.refresh'})})
  const {snapshot, send} = apiKeys
  const {application, revoked, revoking} = snapshot.context
  const shownPage = selectPage(list.snapshot)
  const pager = (total: number) => (
    <Pager page={pageNumber(list.query)} pageSize={pageSize} total={total} link={pagerLink} />
  )
  const createButton = (
    <Button variant="primary" icon={<AddIcon size={14} />} onClick={() => send({type: 'key.new'})}>
      {text('credential.create')}
    </Button>
  )
  const back = <Link to="/console/applications">{text('index.applications')}</Link>
  if (application === undefined)
    return (
      <ConsolePage title={text('index.credentials')} back={back}>
        <WithoutApplication {...apiKeys} />
      </ConsolePage>
    )
  const rowsOf = (items: readonly ApiKey[]) => items.filter(({id}) => !revoked.includes(id))
  return (
    <ConsolePage
      title={text('credential.titleOf', {name: applicationName(text, application)})}
      back={back}
      tools={createButton}
    >
      <ListBody
        snapshot={list.snapshot}
        onRetry={() => list.send({type: 'list.refresh'})}
        empty={
          shownPage !== undefined && shownPage.total > 0 ? (
            pager(shownPage.total)
          ) : (
            <EmptyState
              icon={<KeyIcon size={20} />}
              title={text('credential.none')}
              text={text('credential.noneHelp')}
              action={createButton}
            />
          )
        }
        rows={(page, isStale) => (
          <>
            <KeyTable keys={rowsOf(page.items)} isStale={isStale} sorting={list.sorting} {...apiKeys} />
            {pager(page.total)}
          </>
        )}
      />
      <SnippetPanel
        base={apiBase}
        model={model}
        serviceId={application.scope === 'Individual' ? (application.service_id ?? undefined) : undefined}
      />
      <CreateKeyDialog {...apiKeys} />
      <RevokeKeyDialog {...apiKeys} apiKey={shownPage?.items.find(({id}) => id === revoking)} />
    </ConsolePage>
  )
}

/** The keys of the application, in the page and order of the address. */
function useKeyList(applicationId: string) {
  const {services} = useAppInfo()
  return useAddressList<ApiKey>({
    keys,
    sortKeys: keySortKeys,
    pageSize,
    read: async (query, signal) => {
      const {items, count} = await services
        .client(createCredentialsApi)
        .list({...pageRequest(query, pageSize), application_id: applicationId}, signal)
      return {items: items.map((credential) => toApiKey(credential, location.origin)), total: count}
    },
  })
}

/** The application is being read, or cannot be. */
function WithoutApplication({snapshot, send}: Pick<ReturnType<typeof useApiKeys>, 'snapshot' | 'send'>) {
  const {failure} = snapshot.context
  if (failure === undefined || !snapshot.matches('unavailable'))
    return <Skeleton blockSize={220} radius="var(--r-lg)" />
  return (
    <LoadProblem failure={failure} missing="order.noApplication" onRetry={() => send({type: 'application.load'})} />
  )
}

/** A chat model that this installation serves, for the examples. */
function useModel(): string {
  const provisioning = useSessionActor('provisioning/chat')
  const servedModel = useSelector(provisioning, selectServedModels).find(({disabled}) => disabled === undefined)
  return servedModel?.name ?? chatModels.find(({enabled}) => enabled)?.name ?? ''
}
