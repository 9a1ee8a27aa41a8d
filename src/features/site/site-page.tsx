import {type ReactNode} from 'react'
import {mediaTools} from 'virtual:media-tool-list'
import {faviconOf} from '#browser/page.ts'
import {type Site} from '#contract/management.ts'
import {modelGroupNames, modelGroups} from '#contract/models.ts'
import {ErrorState} from '#ui/error-state.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText, type MessageId, type Text} from '#ui/text.tsx'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import styles from './site-page.module.css'

/** Names of features beside the media tools (contract/platform, FeatureKey; `chat` in older sites). */
const featureNames: Partial<Record<string, MessageId>> = {
  chat: 'index.chat',
  support: 'site.support',
}

/** As the app lists its tools; a back end sends them in any order. */
const featureOrder: readonly string[] = ['chat', ...modelGroups, ...mediaTools.map(({id}) => id)]

/** A back end's unknown feature is shown by its id. */
const featureName = (text: Text, id: string) => {
  const message = Object.hasOwn(featureNames, id) ? featureNames[id] : undefined
  if (message !== undefined) return text(message)
  const group = modelGroups.find((each) => each === id)
  return group === undefined ? (mediaTools.find((tool) => tool.id === id)?.name ?? id) : modelGroupNames[group]
}

type SitePageProps = {
  site: Site | undefined
  status: 'loading' | 'ready' | 'failed'
  onRetry: () => void
  /** The admin's form, shown instead of the facts. */
  form?: ReactNode
  /** The signed-in user may not change these settings. */
  isReadOnly?: boolean
}

/** Facts of the site (contract/screens §7): basics, search engines, invitations, tools. */
export function SitePage({site, status, onRetry, form, isReadOnly = false}: SitePageProps) {
  const text = useText()
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <h1 tabIndex={-1}>{text('index.menuSite')}</h1>
        {status === 'loading' && site === undefined && <Skeleton blockSize={180} radius="var(--r-lg)" />}
        {status === 'failed' && <ErrorState title={text('site.unavailable')} onRetry={onRetry} />}
        {isReadOnly && <p className={styles.note}>{text('site.readOnly')}</p>}
        {form ?? (site !== undefined && <SiteCards site={site} />)}
      </div>
    </div>
  )
}

function SiteCards({site}: {site: Site}) {
  const text = useText()
  const positionOf = ([id]: [string, unknown]) => {
    const position = featureOrder.indexOf(id)
    return position < 0 ? featureOrder.length : position
  }
  const features = Object.entries(site.features ?? {}).sort((one, other) => positionOf(one) - positionOf(other))
  return (
    <>
      <Card title={text('site.basic')}>
        <Fact label={text('site.name')} value={site.title} />
        <Fact label={text('site.origin')} value={site.origin} />
        <Fact label={text('site.logo')} value={site.logo} isImage />
        <Fact label={text('site.favicon')} value={site.favicon} isImage />
      </Card>
      <Card title={text('site.search')}>
        <Fact label={text('site.description')} value={site.description} />
        <Fact label={text('site.keywords')} value={site.keywords?.join(', ')} />
      </Card>
      <Card title={text('site.distribution')}>
        <Fact label={text('site.inviterDefault')} value={site.distribution?.default_inviter_id} />
        <Fact label={text('site.inviterForce')} value={site.distribution?.force_inviter_id} />
      </Card>
      {features.length > 0 && (
        <Card title={text('site.features')}>
          {features.map(([id, feature]) => (
            <Fact
              key={id}
              label={featureName(text, id)}
              value={text(feature.enabled === true ? 'site.featureOn' : 'site.featureOff')}
            />
          ))}
        </Card>
      )}
    </>
  )
}

function Card({title, children}: {title: string; children: ReactNode}) {
  return (
    <section>
      <h2 className={classNames(surface.heading, styles.heading)}>{title}</h2>
      <dl className={surface.surface}>{children}</dl>
    </section>
  )
}

/** The image is the whole value. */
const nameOf = (address: string) => new URL(address).pathname.split('/').at(-1)

function Fact({label, value, isImage = false}: {label: string; value: string | null | undefined; isImage?: boolean}) {
  const text = useText()
  const source = isImage ? faviconOf(value, document.baseURI) : undefined
  const isSet = value != null && value !== ''
  return (
    <div className={styles.fact}>
      <dt>
        <bdi>{label}</bdi>
      </dt>
      <dd className={isSet ? undefined : styles.unset}>
        {source === undefined ? (
          <bdi>{isSet ? value : text('site.none')}</bdi>
        ) : (
          <img className={styles.image} src={source} alt={nameOf(source)} />
        )}
      </dd>
    </div>
  )
}
