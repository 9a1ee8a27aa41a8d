import type {Config} from './config.ts'
import {describeError} from './http/boundary.ts'
import {createLog, type Log} from './log.ts'
import {readConfig} from './read-config.ts'
import {PassingStartFailure, StartFailure} from './start-failure.ts'
import {startServer, type RunningServer} from './start-server.ts'

/** A start that was refused for a reason a user has to mend (sysexits: EX_CONFIG); `npm start` does not repeat it. */
const refusedExitCode = 78
/** A start that may succeed later (sysexits: EX_TEMPFAIL); `npm start` and systemd repeat it. */
const passingExitCode = 75
const failedExitCode = 1
/** After an unexpected error, when nothing is sure of the state any more. */
const failedDrainMilliseconds = 4_000
/** Beyond DRAIN_SECONDS: for the ends of what was cut off, and the embedded database. */
const stopMilliseconds = 6_000

/**
 * The process: one line with the address on standard output when ready, everything else as JSON on standard error. Ends
 * with 0 after SIGTERM or SIGINT, 78 when the start is refused or the database goes beyond this version, 75 when the
 * database is away at the start or others prepare it for too long, 1 after an unexpected error.
 */
async function main(): Promise<void> {
  const log = createLog()
  const config = readConfig(process.env)
  const life: Life = {stopping: new AbortController()}
  const stop = (code: number) => stopProcess(log, config, life, code)
  const {signal} = life.stopping
  const supervisorPid = stopAtEnds(log, stop)
  life.server = startServer(config, {
    log,
    supervisorPid,
    tell: (sentence) => process.stderr.write(`atrium: ${sentence}\n`),
    onRefused: (failure) => {
      if (!signal.aborted) log.error(failure.message)
      stop(refusedExitCode)
    },
    signal,
  })
  const server = await life.server
  if (signal.aborted) return
  // The reader of our output may be gone.
  process.stdout.on('error', () => undefined)
  const ready = server.url === undefined ? 'Atrium worker is ready\n' : `Atrium is ready: ${server.url}\n`
  const setup =
    server.setupUrl === undefined ? '' : `Make the first account, which runs this installation: ${server.setupUrl}\n`
  process.stdout.write(`${ready}${setup}`)
}

type Life = {server?: Promise<RunningServer>; stopping: AbortController}

/** Stops the server and ends with this code. An error in the middle of a stop ends it sooner. */
function stopProcess(log: Log, config: Config, {server, stopping}: Life, code: number): void {
  const drain = config.drainSeconds * 1_000
  const most = code === failedExitCode ? Math.min(drain, failedDrainMilliseconds) : drain
  const deadline = most + stopMilliseconds
  setTimeout(() => {
    log.error(`not stopped within ${deadline / 1_000} s; ending now`)
    process.exit(failedExitCode)
  }, deadline).unref()
  if (stopping.signal.aborted) return
  stopping.abort(new StoppedBeforeStart())
  // A signal in the middle of the start waits for its end, so that no database is left running.
  Promise.resolve(server)
    .then((running) => running?.stop(most))
    .then(
      () => process.exit(code),
      (error: unknown) => {
        if (error instanceof StoppedBeforeStart) process.exit(code)
        log.error('stopping failed', describeError(error))
        process.exit(failedExitCode)
      },
    )
}

/** Has signals, the supervisor's end and uncaught errors stop the process. Returns the supervisor's pid. */
function stopAtEnds(log: Log, stop: (code: number) => void): number | undefined {
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  // Never silently on: state after such an error is unknown (security R32).
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', describeError(error))
    stop(failedExitCode)
  })
  process.on('unhandledRejection', (reason) => {
    log.error('unhandled rejection', describeError(reason))
    stop(failedExitCode)
  })
  // Started by `npm start`: whose supervisor is killed must not hold the data folder against the next start. Another
  // parent's channel (a process manager's) means nothing here.
  const channel = process.env.ATRIUM_SUPERVISED === '1' ? process.channel : undefined
  if (channel === undefined) return undefined
  process.on('disconnect', () => stop(0))
  // the channel alone keeps no process alive
  channel.unref()
  return process.ppid
}

/** The end of a start that only waited for another server to go. */
class StoppedBeforeStart extends Error {}

/** One sentence for what the operator can mend, the whole error for what is ours. */
function refuse(error: unknown): never {
  if (error instanceof StoppedBeforeStart) process.exit(0)
  if (error instanceof StartFailure) {
    process.stderr.write(`\natrium: ${error.message}\n`)
    process.exit(error instanceof PassingStartFailure ? passingExitCode : refusedExitCode)
  }
  createLog().error('the start failed', describeError(error))
  process.exit(failedExitCode)
}

if (process.argv[2] === 'admin') {
  const {runAdmin} = await import('./admin/run-admin.ts')
  runAdmin(process.argv.slice(3)).then((code) => process.exit(code), refuse)
} else {
  main().catch(refuse)
}
