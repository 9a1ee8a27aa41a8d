import {Link} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import type {Application} from '#contract/management.ts'
import {ApplicationTable, applicationName, applicationSortKeys} from '#features/console/application-table.tsx'
import {ConsolePage} from '#features/console/console-page.tsx'
import {ListBody} from '#features/console/list-body.tsx'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {EmptyState} from '#ui/empty-state.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {ApplicationsIcon} from '#ui/console-icons.tsx'
import {MoreIcon} from '#ui/icons.tsx'
import {Menu} from '#ui/menu.tsx'
import {Segmented} from '#ui/segmented.tsx'
import {Pager} from '#ui/table/pager.tsx'
import {useText} from '#ui/text.tsx'
import {writeClipboard} from '#ui/clipboard.ts'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {firstRun} from '../shell/first-run.ts'
import {pagerLink} from './page-link.tsx'
import {pageNumber, pageRequest, useAddressList} from './use-address-list.ts'
import {useErrand} from './use-errand.ts'

/** Rows on a page (contract/platform §3). */
const pageSize = 12
const types = ['Usage', 'Period'] as const
const keys = ['page', 'type']

/** `/console/applications` */
export function ApplicationsRoute() {
  const text = useText()
  const {services} = useAppInfo()
  const userId = useSelector(useAppActor('auth'), selectUser)?.id
  const list = useAddressList<Application>({
    keys,
    sortKeys: applicationSortKeys,
    pageSize,
    read: async (query, signal) => {
      const type = types.find((name) => name === query.type)
      const {items, count} = await services.management.applications.list(
        {
          ...pageRequest(query, pageSize),
          ...(userId === undefined ? {} : {user_id: userId}),
          ...(type === undefined ? {} : {type}),
        },
        signal,
      )
      return {items, total: count}
    },
  })
  const type = types.find((name) => name === list.query.type) ?? 'all'
  const choose = (next: string) => list.choose({type: next === 'all' ? undefined : next})
  return (
    <ConsolePage
      title={text('index.applications')}
      tools={
        <Segmented
          label={text('console.type')}
          value={type}
          options={[
            {value: 'all', label: text('console.all')},
            {value: 'Usage', label: text('application.usage')},
            {value: 'Period', label: text('application.period')},
          ]}
          onChange={choose}
        />
      }
    >
      <ListBody
        snapshot={list.snapshot}
        onRetry={() => list.send({type: 'list.refresh'})}
        empty={type === 'all' ? <NoApplications /> : <NothingMatches onClear={() => choose('all')} />}
        rows={(page, isStale) => (
          <>
            <ApplicationTable
              applications={page.items}
              isStale={isStale}
              sorting={list.sorting}
              now={Date.now()}
              addLink={(application, isExpired) => <AddLink application={application} isRenewal={isExpired} />}
              menu={(application) => <ApplicationMenu application={application} />}
            />
            <Pager page={pageNumber(list.query)} pageSize={pageSize} total={page.total} link={pagerLink} />
          </>
        )}
      />
    </ConsolePage>
  )
}

function NothingMatches({onClear}: {onClear: () => void}) {
  const text = useText()
  return (
    <EmptyState
      title={text('console.nothingMatches')}
      action={<Button onClick={onClear}>{text('console.clearFilters')}</Button>}
    />
  )
}

/** Leads a user without an application to the dialog that sets one up. */
function NoApplications() {
  const text = useText()
  return (
    <EmptyState
      icon={<ApplicationsIcon size={20} />}
      title={text('console.noApplications')}
      text={text('console.noApplicationsHelp')}
      action={
        <Button variant="primary" onClick={() => firstRun.setDismissed(false)}>
          {text('application.pillStart')}
        </Button>
      }
    />
  )
}

function AddLink({application, isRenewal}: {application: Application; isRenewal: boolean}) {
  const text = useText()
  const errand = useErrand()
  const isPeriod = application.type === 'Period'
  return (
    <Link
      to={isPeriod ? '/console/applications/$applicationId/subscribe' : '/console/applications/$applicationId/extra'}
      params={{applicationId: application.id}}
      search={errand}
      className={buttonClass(isRenewal ? 'primary' : 'outline', 'sm')}
    >
      {text(isPeriod ? 'console.renew' : 'console.add')}
    </Link>
  )
}

function ApplicationMenu({application}: {application: Application}) {
  const text = useText()
  const params = {applicationId: application.id}
  const errand = useErrand()
  return (
    <Menu
      label={text('console.moreOf', {name: applicationName(text, application)})}
      align="end"
      entries={[
        {
          id: 'usage',
          label: text('application.seeUsage'),
          link: <Link to="/console/usages" search={{application_id: application.id}} />,
        },
        {
          id: 'subscribe',
          label: text('index.subscribe'),
          link: <Link to="/console/applications/$applicationId/subscribe" params={params} search={errand} />,
        },
        {
          id: 'credentials',
          label: text('index.credentials'),
          link: <Link to="/console/applications/$applicationId/credentials" params={params} />,
        },
        {id: 'copy', label: text('console.copyId'), onSelect: () => void writeClipboard(application.id)},
      ]}
      trigger={(trigger) => (
        <IconButton
          {...trigger}
          size="sm"
          label={text('console.moreOf', {name: applicationName(text, application)})}
          icon={<MoreIcon />}
        />
      )}
    />
  )
}
