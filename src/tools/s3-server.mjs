import {createRequire} from 'node:module'

/*
 * A small S3 server for tests and benchmarks, with one bucket, on loopback: `ORDER` is JSON with port, directory and
 * bucket. It says `ready` and ends with its standard input, so that nobody who is killed leaves it behind. To be run
 * with `--openssl-legacy-provider`: the tokens of its longer lists are made with a cipher of old.
 */

// neither has types
const load = createRequire(import.meta.url)
const S3rver = load('@20minutes/s3rver')
const signature = load('@20minutes/s3rver/lib/signature/v4')

const {port, directory, bucket} = JSON.parse(process.env['ORDER'] ?? '')
// its own form of what was signed lacks the slash behind a bucket, and five characters that are encoded
const {getStringToSign} = signature
signature.getStringToSign = (
  /** @type {{uri: string, querystring: string}} */ request,
  /** @type {unknown[]} */ ...rest
) =>
  getStringToSign(
    {
      ...request,
      uri: request.uri.replace(/^\/[^/]+$/, '$&/'),
      querystring: request.querystring.replace(
        /[!'()*]/g,
        (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    },
    ...rest,
  )
process.stdin.resume().on('end', () => process.exit())
await new S3rver({port, address: '127.0.0.1', silent: true, directory, configureBuckets: [{name: bucket}]}).run()
process.stdout.write('ready\n')
