import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {readConfig} from '../read-config.ts'
import {createSecrets, readMasterSecret} from '../secrets.ts'
import {StartFailure} from '../start-failure.ts'
import {makeAccount, makeAdministrator, readVerificationCode, resetPassword} from './accounts.ts'
import {backUp, restore} from './backup.ts'
import {fileCommands, runFileCommand} from './files.ts'
import {finishOrderByHand, giveUpPayment, listOrders, settleRefunds} from './orders.ts'
import {requireEmbedded, withConnection, withDatabase} from './open-installation.ts'
import {acceptSecret} from '../store/shared-secret.ts'
import {contractSchema, describeSchema} from './schema.ts'

const usage = `Commands (npm run admin -- <command>):
  make-account <email>       makes an account and shows its password once; the first one runs the installation
  reset-password <email>     sets a new password, shows it once and ends all sign-ins of the account
  make-admin <email>         lets the account run the installation
  verification-code <email>  shows the code by which the account confirms its address
  orders <email>             lists the orders of the account
  finish-order <id>          counts an order as paid and books its credits
  give-up-payment <id>       lets an order go on whose payment nobody can ask about, such as of another account
  settle-refunds <id>        counts refunds of an order that failed as paid to the payer in another way
  files move                 moves all files to the store that takes new ones; also while the server runs
  files check                compares the entries of files with the stores
  files sweep                takes away entries without bytes, and bytes without an entry
  files adopt                takes DATA_DIR/files of this machine for that of all nodes, after the files were moved there
  schema show                says what the database has become, what the next start does with it, and which nodes live
  schema contract            runs what the next start would run: the steps that waited for the end of older nodes
  secret accept              makes a changed SECRET that of the installation; while no node runs; ends all sign-ins
  backup <folder>            copies database, uploads and secret; also while the server runs
  restore <folder>           puts a backup into an empty DATA_DIR; while the server does not run
`

type Options = {
  environment?: Readonly<Record<string, string | undefined>>
  write?: (text: string) => void
}

/**
 * The operator's commands, with the same settings as the server. Returns the exit code; throws `StartFailure` with a
 * sentence for what the operator can mend.
 */
export async function runAdmin(parameters: readonly string[], options: Options = {}): Promise<number> {
  const {environment = process.env, write = (text) => void process.stdout.write(text)} = options
  const [command, argument = command === 'schema' ? 'show' : undefined, ...rest] = parameters
  const known = [
    'make-account',
    'reset-password',
    'make-admin',
    'verification-code',
    'orders',
    'finish-order',
    'give-up-payment',
    'settle-refunds',
    'files',
    'schema',
    'secret',
    'backup',
    'restore',
  ]
  if (command === undefined || command === 'help' || command === '--help') {
    write(usage)
    return command === undefined ? 2 : 0
  }
  if (!known.includes(command)) throw new StartFailure(`There is no command ${command}.\n${usage}`)
  if (argument === undefined || rest.length > 0)
    throw new StartFailure(`${command} takes exactly one argument.\n${usage}`)
  const config = readConfig(environment)
  if (command !== 'restore' && config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    throw new StartFailure(
      `There is no installation in DATA_DIR (${config.dataDir}). Set DATA_DIR as the server has it.`,
    )
  }
  switch (command) {
    case 'make-account': {
      const made = await withDatabase(config, (database) => makeAccount(database, argument, database.clock.now))
      write(`${made.isOperator ? 'Account that runs this installation' : 'Account'}: ${made.email}\n`)
      write(`Password: ${made.password}\n`)
      return 0
    }
    case 'reset-password': {
      const password = await withDatabase(config, (database) => resetPassword(database, argument, database.clock.now))
      write(`New password of ${argument}: ${password}\n`)
      return 0
    }
    case 'make-admin':
      await withDatabase(config, (database) => makeAdministrator(database, argument, database.clock.now))
      write(`${argument} runs this installation now.\n`)
      return 0
    case 'verification-code': {
      const code = await withDatabase(config, (database) => {
        const secrets = createSecrets(readMasterSecret(config.secret, config.dataDir))
        return readVerificationCode(database, secrets, argument)
      })
      write(`Verification code of ${argument}: ${code}\n`)
      return 0
    }
    case 'orders': {
      const lines = await withDatabase(config, (database) => listOrders(database, argument, database.clock.now))
      write(lines.length === 0 ? `${argument} has no orders.\n` : `${lines.join('\n')}\n`)
      return 0
    }
    case 'finish-order':
      await withDatabase(config, (database) => finishOrderByHand({config, database, now: database.clock.now}, argument))
      write(`The order ${argument} is finished.\n`)
      return 0
    case 'give-up-payment':
      await withDatabase(config, (database) => giveUpPayment(database, argument, database.clock.now))
      write(`The order ${argument} waits for no payment any more.\n`)
      return 0
    case 'settle-refunds':
      await withDatabase(config, (database) => settleRefunds(database, argument, database.clock.now))
      write(`The refunds of the order ${argument} are settled.\n`)
      return 0
    case 'files': {
      const fileCommand = fileCommands.find((name) => name === argument)
      if (fileCommand === undefined) throw new StartFailure(`There is no command files ${argument}.\n${usage}`)
      return withDatabase(config, (database) =>
        runFileCommand(fileCommand, {config, database, now: database.clock.now, write}),
      )
    }
    case 'schema': {
      if (argument !== 'show' && argument !== 'contract')
        throw new StartFailure(`There is no command schema ${argument}.\n${usage}`)
      const lines = await withConnection(config, (connection) =>
        argument === 'show' ? describeSchema(connection) : contractSchema(connection),
      )
      write(`${lines.join('\n')}\n`)
      return 0
    }
    case 'secret': {
      if (argument !== 'accept') throw new StartFailure(`There is no command secret ${argument}.\n${usage}`)
      if (config.databaseUrl === undefined)
        throw new StartFailure('A server with the embedded database takes a changed SECRET by itself.')
      const secrets = createSecrets(readMasterSecret(config.secret, config.dataDir))
      await withConnection(config, (connection) => acceptSecret(connection, secrets))
      write('SECRET is that of the installation now. Everybody signs in again.\n')
      return 0
    }
    case 'backup':
      requireEmbedded(config)
      write(`Backed up to ${await backUp(config, argument)}\n`)
      for (const bucket of [config.files.bucket, config.files.former])
        if (bucket !== undefined) write(`Not in it: the files in ${bucket.name}. See docs/operating.md.\n`)
      return 0
    default:
      requireEmbedded(config)
      await restore(config, argument)
      write(`Restored into ${config.dataDir}\n`)
      return 0
  }
}
