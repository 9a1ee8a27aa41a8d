import {Suspense, useState, type ReactNode} from 'react'
import {formatDateTime} from '#domain/date-time.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {RetryIcon, ExternalLinkIcon} from '#ui/icons.tsx'
import {DownloadIcon, UseInIcon} from '#ui/media-icons.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import type {MenuEntry} from '#ui/menu-entry.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {MoneyText} from '#ui/money-text.tsx'
import {useText} from '#ui/text.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {durationText} from '../duration.ts'
import {LazyMenu} from '../feed/lazy-menu.tsx'
import {safeUrl} from '../media-url.ts'
import {useMedia} from '../media.context.ts'
import {InputThumbs, type InputImage} from '../input-thumbs.tsx'
import {ActionNote} from '../action-note.tsx'
import type {ActionGroup, OfferedAction} from '../result-actions.ts'
import {UseTargets, type UseTargetsProps} from '../use-targets.tsx'
import type {ToolText} from '../use-tool-text.ts'
import type {ViewerItem} from './viewer-items.ts'
import styles from './viewer.module.css'

const RenewDialog = lazyView(async () => (await import('../renew-dialog.tsx')).RenewDialog)

type ResultDetailsProps = UseTargetsProps & {
  item: ViewerItem
  /** Its words, or what it did. */
  title: string
  /** Name of the tool. */
  tool: string
  toolText: ToolText
  inputs: readonly InputImage[]
  settings: readonly {key: string; label: string; value: string}[]
  groups: readonly ActionGroup[]
  costOf: (action: OfferedAction) => number | undefined
  isUsed: (action: OfferedAction) => boolean
  onAction: (action: OfferedAction) => void
  onDownload: () => void
  onReuse: () => void
  /** Its file can get a new address. */
  isRenewable: boolean
  /** Targets that can take the image of a video that is on screen; undefined of anything else. */
  frameEntries: (() => readonly MenuEntry[]) | undefined
  /** The targets that can take the prompt. */
  promptEntries: () => readonly MenuEntry[]
}

/** How a result was made, and what can be done with it (design.md §10). */
export function ResultDetails(props: ResultDetailsProps) {
  const {item, toolText, groups, targets, costOf, isUsed} = props
  const text = useText()
  const url = safeUrl(item.artifact.url)
  return (
    <>
      <PromptBlock {...props} />
      {url !== undefined && <AddressBlock task={item.card.id} address={url} isRenewable={props.isRenewable} />}
      {groups.map((group) => (
        <ActionBlock
          key={group.label ?? ''}
          title={group.label === undefined ? text('common.mediaActions') : toolText(group.label)}
        >
          {group.actions.map((action) => (
            <button
              key={action.action.id}
              type="button"
              className={styles.action}
              onClick={() => props.onAction(action)}
            >
              {toolText(action.action.label)}
              <ActionNote cost={costOf(action)} isUsed={isUsed(action)} />
            </button>
          ))}
        </ActionBlock>
      ))}
      {targets.length > 0 && (
        <ActionBlock title={text('common.mediaUseIn')}>
          <UseTargets Heading="h3" className={styles.action} {...props} />
        </ActionBlock>
      )}
      <Facts {...props} />
    </>
  )
}

/** The words that it was made from, and where they and the result can go. */
function PromptBlock(props: ResultDetailsProps) {
  const {item, title, inputs} = props
  const text = useText()
  const {card, artifact} = item
  const url = safeUrl(artifact.url)
  return (
    <section className={styles.block}>
      <h2>{text('common.mediaPrompt')}</h2>
      <p className={styles.prompt} dir="auto">
        {title}
      </p>
      <InputThumbs images={inputs} />
      <div className={styles.line}>
        <Button size="sm" icon={<DownloadIcon size={14} />} onClick={props.onDownload}>
          {text('common.mediaDownload')}
        </Button>
        <Button size="sm" icon={<RetryIcon size={14} />} onClick={props.onReuse}>
          {text('common.mediaReuse')}
        </Button>
        {card.prompt !== '' && (
          <>
            <CopyButton labelled label={text('common.mediaCopyPrompt')} value={() => card.prompt} />
            <LazyMenu
              label={text('common.mediaUsePromptIn')}
              entries={props.promptEntries}
              trigger={(trigger) => (
                <Button size="sm" icon={<UseInIcon size={14} />} {...trigger}>
                  {text('common.mediaUsePromptIn')}
                </Button>
              )}
            />
          </>
        )}
        {props.frameEntries !== undefined && (
          <LazyMenu
            label={text('common.mediaUseFrameIn')}
            entries={props.frameEntries}
            trigger={(trigger) => (
              <Button size="sm" icon={<UseInIcon size={14} />} {...trigger}>
                {text('common.mediaUseFrameIn')}
              </Button>
            )}
          />
        )}
        {url !== undefined && (
          <a className={buttonClass('ghost', 'sm')} href={url} target="_blank" rel="noopener noreferrer">
            {text('common.mediaOriginal')}
            <ExternalLinkIcon size={14} />
          </a>
        )}
      </div>
    </section>
  )
}

/** Opens what the request and its task went through: the dialog stands here, as that of an address does. */
function FlowButton({card}: {card: Card}) {
  const text = useText()
  const {WhatHappened, identity} = useMedia()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.line}>
      <Button size="sm" onClick={() => setOpen(true)}>
        {text('common.mediaWhatHappened')}
      </Button>
      <Suspense>
        {isOpen && <WhatHappened card={card} service={identity.service} onClose={() => setOpen(false)} />}
      </Suspense>
    </div>
  )
}

/** The facts of how it was made. */
function Facts({item, tool, settings}: ResultDetailsProps) {
  const text = useText()
  const {card, artifact} = item
  const seconds = card.finishedAt === undefined ? undefined : Math.max(0, card.finishedAt - card.at)
  return (
    <section className={styles.block}>
      <h2>{text('common.details')}</h2>
      <dl className={styles.facts}>
        <Fact label={text('common.mediaTool')}>{tool}</Fact>
        {card.provider !== undefined && (
          <Fact label={text('common.mediaMadeBy')}>
            {card.isSandbox ? text('index.badgeSandbox') : <bdi>{card.provider}</bdi>}
          </Fact>
        )}
        {settings.map(({key, label, value}) => (
          <Fact key={key} label={label}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
        {artifact.seed !== undefined && (
          <Fact label={text('common.mediaSeed')} copy={String(artifact.seed)}>
            <bdi dir="ltr">{artifact.seed}</bdi>
          </Fact>
        )}
        {artifact.width !== undefined && artifact.height !== undefined && (
          <Fact label={text('common.mediaSize')}>
            <bdi dir="ltr">
              {artifact.width} × {artifact.height}
            </bdi>
          </Fact>
        )}
        {card.credits?.settled !== undefined && (
          <Fact label={text('common.mediaCharged')}>
            <MoneyText amount={card.credits.settled} />
          </Fact>
        )}
        <Fact label={text('common.mediaCreated')}>
          <TimeText value={card.at * 1_000} format={formatDateTime} />
        </Fact>
        {seconds !== undefined && (
          <Fact label={text('common.mediaTook')}>
            <bdi dir="ltr">{durationText(seconds)}</bdi>
          </Fact>
        )}
        {artifact.id !== undefined && <IdFact label={text('common.mediaResultId')} id={artifact.id} />}
        {card.id !== undefined && <IdFact label={text('common.mediaTaskId')} id={card.id} />}
        {card.traceId !== undefined && <IdFact label={text('common.mediaTraceId')} id={card.traceId} />}
      </dl>
      <FlowButton card={card} />
    </section>
  )
}

/** Dialogs over the viewer stand below it in the tree, so that it lets the focus go to them. */
function AddressBlock({task, address, isRenewable}: {task: string | undefined; address: string; isRenewable: boolean}) {
  const text = useText()
  const [isAsking, setAsking] = useState(false)
  return (
    <section className={styles.block}>
      <h2>{text('common.mediaAddress')}</h2>
      <p className={styles.note}>{text('common.mediaCopyLinkHelp')}</p>
      <div className={styles.line}>
        <CopyButton labelled label={text('common.mediaCopyLink')} value={() => address} />
        {isRenewable && (
          <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
            {text('common.mediaRenew')}
          </Button>
        )}
      </div>
      <Suspense>
        {isAsking && task !== undefined && (
          <RenewDialog task={task} address={address} onClose={() => setAsking(false)} />
        )}
      </Suspense>
    </section>
  )
}

function ActionBlock({title, children}: {title: string; children: ReactNode}) {
  return (
    <section className={styles.block}>
      <h2>{title}</h2>
      <div className={styles.actions}>{children}</div>
    </section>
  )
}

function Fact({label, copy, children}: {label: string; copy?: string; children: ReactNode}) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <span>{children}</span>
        {copy !== undefined && <CopyButton value={() => copy} />}
      </dd>
    </>
  )
}

const IdFact = ({label, id}: {label: string; id: string}) => (
  <Fact label={label} copy={id}>
    <bdi dir="ltr" title={id}>
      {id.length > 14 ? `${id.slice(0, 12)}…` : id}
    </bdi>
  </Fact>
)
