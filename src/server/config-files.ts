import {readBaseUrl, readChoice, readText, readWhole, type Source} from './config-values.ts'
import {StartFailure} from './start-failure.ts'

/** A bucket, or a part of one. */
export type BucketAddress = {
  /** `s3://bucket/prefix`: the name that is stored with each file of this bucket. */
  name: string
  bucket: string
  /** Ends with a slash, or is empty. */
  prefix: string
  /** Whether the bucket is in the path of addresses, not in the host name. */
  isPathStyle: boolean
}

/** The stores of files (docs/decisions/0069). Without `bucket` and `former` in `DATA_DIR/files` alone. */
export type FilesConfig = {
  /** The store for new files. Absent: `DATA_DIR/files`. */
  bucket: BucketAddress | undefined
  /** Is read from, and emptied by `files move`. */
  former: BucketAddress | undefined
  region: string
  endpoint: string | undefined
  /** Absent: the client looks where the official tools do (profile, container, machine). */
  credentials: {accessKeyId: string; secretAccessKey: string; sessionToken: string | undefined} | undefined
  delivery: 'server' | 'redirect'
  /** How long a signed address opens its file. */
  linkSeconds: number
}

export const filesSettingNames = [
  'FILES_URL',
  'FILES_FORMER_URL',
  'FILES_DELIVERY',
  'FILES_LINK_SECONDS',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
] as const

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixPattern = /^[A-Za-z0-9!_.*'()/-]{1,512}$/

/** Reads which stores keep files, by the settings of this start. */
export function readFiles(source: (name: string) => Source, publicOrigins: readonly string[]): FilesConfig {
  const text = (...names: (typeof filesSettingNames)[number][]) =>
    names.map((name) => source(name).text).find((value) => value !== undefined)
  const endpointText = text('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL')
  const endpoint = endpointText === undefined ? undefined : readBaseUrl('AWS_ENDPOINT_URL_S3', endpointText)
  const bucket = readBucket(source('FILES_URL'), endpoint !== undefined)
  const former = readBucket(source('FILES_FORMER_URL'), endpoint !== undefined)
  if (former !== undefined && former.name === bucket?.name)
    throw new StartFailure('FILES_FORMER_URL is the same as FILES_URL: it names where files were kept before.')
  const region = text('AWS_REGION', 'AWS_DEFAULT_REGION')
  if ((bucket ?? former) !== undefined && region === undefined && endpoint === undefined)
    throw new StartFailure('FILES_URL needs AWS_REGION, such as eu-central-1, or AWS_ENDPOINT_URL_S3 of another store.')
  const delivery = readChoice(source('FILES_DELIVERY'), 'server', ['server', 'redirect'])
  if (delivery === 'redirect' && bucket !== undefined && isMixed(publicOrigins, endpoint))
    throw new StartFailure(
      `FILES_DELIVERY=redirect leads pages of https to ${endpoint}, which browsers refuse: serve the store by https.`,
    )
  return {
    bucket,
    former,
    region: region ?? 'us-east-1',
    endpoint,
    credentials: readCredentials(text),
    delivery,
    linkSeconds: readWhole(source('FILES_LINK_SECONDS'), 900, 60, 604_800),
  }
}

const isMixed = (origins: readonly string[], endpoint: string | undefined): boolean =>
  endpoint?.startsWith('http:') === true && origins.some((origin) => origin.startsWith('https:'))

function readCredentials(text: (name: (typeof filesSettingNames)[number]) => string | undefined) {
  const accessKeyId = text('AWS_ACCESS_KEY_ID')
  const secretAccessKey = text('AWS_SECRET_ACCESS_KEY')
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new StartFailure('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: set both, or neither.')
  return {accessKeyId, secretAccessKey, sessionToken: text('AWS_SESSION_TOKEN')}
}

function readBucket(source: Source, hasOwnEndpoint: boolean): BucketAddress | undefined {
  const text = readText(source)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bucket = url?.hostname ?? ''
  const prefix = (url?.pathname ?? '').replace(/^\/+|(?<!\/)\/+$/g, '')
  const {'path-style': pathStyle = String(hasOwnEndpoint), ...others} = Object.fromEntries(url?.searchParams ?? [])
  const isWell =
    url?.protocol === 's3:' &&
    bucketPattern.test(bucket) &&
    (prefix === '' || (prefixPattern.test(prefix) && !prefix.includes('//'))) &&
    url.username + url.password + url.port + url.hash === '' &&
    Object.keys(others).length === 0 &&
    /^(true|false)$/.test(pathStyle)
  if (!isWell) {
    // the part before an @ may be a key
    const suffix = text.includes('@') ? '' : `, not "${text}"`
    throw new StartFailure(
      `${source.name} must be s3://bucket/prefix, with ?path-style=true or false if needed${suffix}.`,
    )
  }
  return {
    name: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    isPathStyle: pathStyle === 'true',
  }
}
