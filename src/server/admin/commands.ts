import type {Config} from '../config.ts'
import {createSecrets, readMasterSecret} from '../secrets.ts'
import {StartFailure} from '../start-failure.ts'
import type {Database} from '../store/database.ts'
import {acceptSecret} from '../store/shared-secret.ts'
import {makeAccount, makeAdministrator, readVerificationCode, resetPassword} from './accounts.ts'
import {backUp, restore} from './backup.ts'
import {fileCommands, runFileCommand} from './files.ts'
import {requireEmbedded, withConnection, withDatabase} from './open-installation.ts'
import {finishOrderByHand, giveUpPayment, listOrders, settleRefunds} from './orders.ts'
import {contractSchema, describeSchema} from './schema.ts'

type CommandInput = {config: Config; argument: string; write: (text: string) => void}
/** Gives an exit code only if it may be another than 0. */
type Command = {help: [argument: string, text: string][]; run: (input: CommandInput) => Promise<number | void>}

const unknownArgument = (command: string, argument: string) =>
  new StartFailure(`There is no command ${command} ${argument}.\n${usage}`)

/** A command that works on the database and writes the lines it gives. */
const onDatabase =
  (lines: (database: Database, argument: string, config: Config) => Promise<string[]>): Command['run'] =>
  async ({config, argument, write}) => {
    const output = await withDatabase(config, (database) => lines(database, argument, config))
    write(`${output.join('\n')}\n`)
  }

async function runFiles({config, argument, write}: CommandInput): Promise<number> {
  const command = fileCommands.find((name) => name === argument)
  if (command === undefined) throw unknownArgument('files', argument)
  return withDatabase(config, (database) => runFileCommand(command, {config, database, now: database.clock.now, write}))
}

async function runSchema({config, argument, write}: CommandInput): Promise<void> {
  if (argument !== 'show' && argument !== 'contract') throw unknownArgument('schema', argument)
  const lines = await withConnection(config, (connection) =>
    argument === 'show' ? describeSchema(connection) : contractSchema(connection),
  )
  write(`${lines.join('\n')}\n`)
}

async function runSecret({config, argument, write}: CommandInput): Promise<void> {
  if (argument !== 'accept') throw unknownArgument('secret', argument)
  if (config.databaseUrl === undefined)
    throw new StartFailure('A server with the embedded database takes a changed SECRET by itself.')
  const secrets = createSecrets(readMasterSecret(config.secret, config.dataDir))
  await withConnection(config, (connection) => acceptSecret(connection, secrets))
  write('SECRET is that of the installation now. Everybody signs in again.\n')
}

async function runBackup({config, argument, write}: CommandInput): Promise<void> {
  requireEmbedded(config)
  write(`Backed up to ${await backUp(config, argument)}\n`)
  for (const bucket of [config.files.bucket, config.files.former])
    if (bucket !== undefined) write(`Not in it: the files in ${bucket.name}. See docs/operating.md.\n`)
}

async function runRestore({config, argument, write}: CommandInput): Promise<void> {
  requireEmbedded(config)
  await restore(config, argument)
  write(`Restored into ${config.dataDir}\n`)
}

/** The operator's commands by their names, in the order in which they are explained. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'make-account',
    {
      help: [['<email>', 'makes an account and shows its password once; the first one runs the installation']],
      run: onDatabase(async (database, email) => {
        const account = await makeAccount(database, email, database.clock.now)
        const kind = account.isOperator ? 'Account that runs this installation' : 'Account'
        return [`${kind}: ${account.email}`, `Password: ${account.password}`]
      }),
    },
  ],
  [
    'reset-password',
    {
      help: [['<email>', 'sets a new password, shows it once and ends all sign-ins of the account']],
      run: onDatabase(async (database, email) => [
        `New password of ${email}: ${await resetPassword(database, email, database.clock.now)}`,
      ]),
    },
  ],
  [
    'make-admin',
    {
      help: [['<email>', 'lets the account run the installation']],
      run: onDatabase(async (database, email) => {
        await makeAdministrator(database, email, database.clock.now)
        return [`${email} runs this installation now.`]
      }),
    },
  ],
  [
    'verification-code',
    {
      help: [['<email>', 'shows the code by which the account confirms its address']],
      run: onDatabase(async (database, email, config) => {
        const secrets = createSecrets(readMasterSecret(config.secret, config.dataDir))
        return [`Verification code of ${email}: ${await readVerificationCode(database, secrets, email)}`]
      }),
    },
  ],
  [
    'orders',
    {
      help: [['<email>', 'lists the orders of the account']],
      run: onDatabase(async (database, email) => {
        const lines = await listOrders(database, email, database.clock.now)
        return lines.length === 0 ? [`${email} has no orders.`] : lines
      }),
    },
  ],
  [
    'finish-order',
    {
      help: [['<id>', 'counts an order as paid and books its credits']],
      run: onDatabase(async (database, id, config) => {
        await finishOrderByHand({config, database, now: database.clock.now}, id)
        return [`The order ${id} is finished.`]
      }),
    },
  ],
  [
    'give-up-payment',
    {
      help: [['<id>', 'lets an order go on whose payment nobody can ask about, such as of another account']],
      run: onDatabase(async (database, id) => {
        await giveUpPayment(database, id, database.clock.now)
        return [`The order ${id} waits for no payment any more.`]
      }),
    },
  ],
  [
    'settle-refunds',
    {
      help: [['<id>', 'counts refunds of an order that failed as paid to the payer in another way']],
      run: onDatabase(async (database, id) => {
        await settleRefunds(database, id, database.clock.now)
        return [`The refunds of the order ${id} are settled.`]
      }),
    },
  ],
  [
    'files',
    {
      help: [
        ['move', 'moves all files to the store that takes new ones; also while the server runs'],
        ['check', 'compares the entries of files with the stores'],
        ['sweep', 'takes away entries without bytes, and bytes without an entry'],
        ['adopt', 'takes DATA_DIR/files of this machine for that of all nodes, after the files were moved there'],
      ],
      run: runFiles,
    },
  ],
  [
    'schema',
    {
      help: [
        ['show', 'says what the database has become, what the next start does with it, and which nodes live'],
        ['contract', 'runs what the next start would run: the steps that waited for the end of older nodes'],
      ],
      run: runSchema,
    },
  ],
  [
    'secret',
    {
      help: [['accept', 'makes a changed SECRET that of the installation; while no node runs; ends all sign-ins']],
      run: runSecret,
    },
  ],
  ['backup', {help: [['<folder>', 'copies database, uploads and secret; also while the server runs']], run: runBackup}],
  [
    'restore',
    {
      help: [['<folder>', 'puts a backup into an empty DATA_DIR; while the server does not run']],
      run: runRestore,
    },
  ],
])

const explanation = [...commands].flatMap(([name, {help}]) =>
  help.map(([argument, text]) => `  ${`${name} ${argument}`.padEnd(25)}  ${text}\n`),
)
export const usage = `Commands (npm run admin -- <command>):\n${explanation.join('')}`
