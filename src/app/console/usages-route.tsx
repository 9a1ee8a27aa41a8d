import {useState} from 'react'
import {identities} from 'virtual:media-tools'
import {chatServiceId} from '#contract/chat.ts'
import type {Application} from '#contract/management.ts'
import type {ApiUsage} from '#contract/usage.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {accountErrorTextId} from '#domain/account-failure.ts'
import type {UsagePeriod} from '#domain/usage-period.ts'
import {figuresOfRows, type UsageKind} from '#domain/usage-series.ts'
import {applicationName} from '#features/console/application-table.tsx'
import {ConsolePage} from '#features/console/console-page.tsx'
import {ListBody} from '#features/console/list-body.tsx'
import {UsageBasis} from '#features/console/usage/usage-basis.tsx'
import {UsageFigures} from '#features/console/usage/usage-figures.tsx'
import {DaysChoice, PeriodChoice, UsageActions, UsageChoice} from '#features/console/usage/usage-filters.tsx'
import {UsageRecord} from '#features/console/usage/usage-record.tsx'
import {UsageTable} from '#features/console/usage/usage-table.tsx'
import {UsageTotalsView} from '#features/console/usage/usage-totals-view.tsx'
import {selectRefusal} from '#machines/call/call.machine.ts'
import {selectFailure, selectIsStale, selectPage} from '#machines/resource-list/resource-list.machine.ts'
import {Button} from '#ui/button.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {ConsoleIcon} from '#ui/icons.tsx'
import {Problem} from '#ui/problem.tsx'
import {Pager} from '#ui/table/pager.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {pagerLink} from './page-link.tsx'
import {pageNumber} from './use-address-list.ts'
import {pageSize, useUsage} from './use-usage.ts'

const kinds = new Map<string | undefined, UsageKind>([
  [chatServiceId, 'chat'],
  ...identities.map(({serviceId, group}) => [serviceId, group] as const),
])
const kindOf = (serviceId: string | undefined): UsageKind => kinds.get(serviceId) ?? 'other'

/** `/console/usages` */
export function UsagesRoute() {
  const text = useText()
  const usage = useUsage()
  const {offersTotals, rows, sums} = usage
  const choose: Choose = rows.choose
  const shownTotals = selectPage(sums.snapshot)?.items[0]
  const download = () => shownTotals !== undefined && usage.download(shownTotals.filter)
  return (
    <ConsolePage
      title={text('index.usages')}
      tools={<Filters usage={usage} choose={choose} />}
      actions={
        <UsageActions
          onRefresh={usage.refresh}
          download={
            offersTotals
              ? {onPress: download, isReady: shownTotals !== undefined, isRunning: usage.exporting.matches('sending')}
              : undefined
          }
        />
      }
    >
      {offersTotals && usage.period === 'custom' && (
        <DaysChoice
          days={usage.range.days}
          isCut={usage.range.isCut}
          onChange={(days) => choose({period: 'custom', ...days})}
        />
      )}
      <Problems usage={usage} onDownload={download} />
      {offersTotals ? <Totals usage={usage} /> : <PageFigures usage={usage} />}
      <Requests usage={usage} choose={choose} />
    </ConsolePage>
  )
}

/** The failures beside the rows: the choices of the filters, a download. */
function Problems({usage, onDownload}: {usage: Usage; onDownload: () => void}) {
  const text = useText()
  const refusal = selectRefusal(usage.exporting)
  return (
    <>
      {usage.optionsFailure !== undefined && (
        <Problem tone="warning" onRetry={usage.readOptions}>
          {text('usage.filtersFailed')} {text(accountErrorTextId(usage.optionsFailure))}
        </Problem>
      )}
      {refusal !== undefined && (
        <Problem tone="warning" onRetry={onDownload}>
          {text('usage.downloadFailed')} {text(accountErrorTextId(refusal))}
        </Problem>
      )}
    </>
  )
}

/** Sums and chart of all rows with these filters. */
function Totals({usage: {sums, zone}}: {usage: Usage}) {
  return (
    <UsageTotalsView
      shown={selectPage(sums.snapshot)?.items[0]}
      failure={selectFailure(sums.snapshot)}
      isStale={selectIsStale(sums.snapshot)}
      onRetry={() => sums.send({type: 'list.refresh'})}
      kindOf={kindOf}
      note={({totals, range, zone: countedZone}) => (
        <UsageBasis
          count={totals.total.count}
          timeZone={zone.timeZone}
          countedIn={countedZone.timeZone}
          span={{from: formatDateTime(range.from), until: formatDateTime(range.until)}}
        />
      )}
    />
  )
}

/** The sums of the rows on this page, where the server has no others. */
function PageFigures({usage: {rows, zone}}: {usage: Usage}) {
  const page = selectPage(rows.snapshot)
  if (page === undefined || page.items.length === 0) return null
  return (
    <>
      <UsageFigures figures={figuresOfRows(page.items)} isStale={selectIsStale(rows.snapshot)} />
      <UsageBasis count={page.items.length} timeZone={zone.timeZone} />
    </>
  )
}

/** A page of requests, and the record of the one that is opened. */
function Requests({usage: {offersTotals, query, rows}, choose}: {usage: Usage; choose: Choose}) {
  const text = useText()
  const [details, setDetails] = useState<{record: ApiUsage; isOpen: boolean}>()
  const isFiltered = query.application_id !== undefined || query.api_id !== undefined
  return (
    <>
      <ListBody
        snapshot={rows.snapshot}
        onRetry={() => rows.send({type: 'list.refresh'})}
        empty={
          <EmptyState
            icon={<ConsoleIcon size={20} />}
            title={text(offersTotals ? 'usage.none' : 'usage.noneAtAll')}
            action={
              isFiltered && (
                <Button onClick={() => choose({application_id: undefined, api_id: undefined})}>
                  {text('console.clearFilters')}
                </Button>
              )
            }
          />
        }
        rows={({items, total}, isStale) => (
          <>
            <UsageTable
              rows={items}
              kindOf={kindOf}
              isStale={isStale}
              sorting={rows.sorting}
              onOpen={(record) => setDetails({record, isOpen: true})}
            />
            <Pager page={pageNumber(query)} pageSize={pageSize} total={total} link={pagerLink} />
          </>
        )}
      />
      <UsageRecord
        record={details?.record}
        kindOf={kindOf}
        open={details?.isOpen === true}
        onClose={() => setDetails((before) => before && {...before, isOpen: false})}
      />
    </>
  )
}

type Usage = ReturnType<typeof useUsage>
type Filter = Partial<Record<'application_id' | 'api_id' | 'from' | 'to', string | undefined>> & {period?: UsagePeriod}
type Choose = (filter: Filter) => void

/** The service of an application; an application for all services names none. */
const serviceOf = ({scope, service_id: id}: Application) => (scope === 'Global' ? undefined : (id ?? undefined))

/** Names of applications; of those with the same name the beginning of their ids tells them apart. */
function applicationOptions(text: Text, applications: readonly Application[]) {
  const names = applications.map((application) => applicationName(text, application))
  return applications.map(({id}, index) => {
    const name = names[index] ?? id
    const isShared = names.filter((other) => other === name).length > 1
    return {value: id, label: isShared ? `${name} · ${id.slice(0, 4)}` : name}
  })
}

function Filters({usage, choose}: {usage: Usage; choose: Choose}) {
  const text = useText()
  const {query, options, period, range} = usage
  const applications = options?.applications ?? []
  const chosenApplication = applications.find(({id}) => id === query.application_id)
  const apisOf = (application: Application | undefined) => {
    const serviceId = application && serviceOf(application)
    return (options?.apis ?? []).filter((api) => serviceId === undefined || api.service_id === serviceId)
  }
  return (
    <>
      <UsageChoice
        id="usage-application"
        label={text('usage.application')}
        all={text('usage.allApplications')}
        options={applicationOptions(text, applications)}
        value={query.application_id ?? ''}
        onChange={(id) => {
          const next = applications.find((application) => application.id === id)
          const keepsApi = apisOf(next).some((api) => api.id === query.api_id)
          choose({application_id: id === '' ? undefined : id, ...(keepsApi ? {} : {api_id: undefined})})
        }}
      />
      <UsageChoice
        id="usage-api"
        label={text('usage.api')}
        all={text('usage.allApis')}
        options={apisOf(chosenApplication).map(({id, title, name}) => ({value: id, label: title ?? name ?? id}))}
        value={query.api_id ?? ''}
        onChange={(id) => choose({api_id: id === '' ? undefined : id})}
      />
      {usage.offersTotals && (
        <PeriodChoice
          value={period}
          onChange={(next) =>
            choose({
              period: next,
              ...(next === 'custom' ? range.days : {from: undefined, to: undefined}),
            })
          }
        />
      )}
    </>
  )
}
