import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {readConfig} from '../read-config.ts'
import {StartFailure} from '../start-failure.ts'
import {commands, usage} from './commands.ts'

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
  const [name, argument = name === 'schema' ? 'show' : undefined, ...rest] = parameters
  if (name === undefined || name === 'help' || name === '--help') {
    write(usage)
    return name === undefined ? 2 : 0
  }
  const command = commands.get(name)
  if (command === undefined) throw new StartFailure(`There is no command ${name}.\n${usage}`)
  if (argument === undefined || rest.length > 0) throw new StartFailure(`${name} takes exactly one argument.\n${usage}`)
  const config = readConfig(environment)
  if (name !== 'restore' && config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    throw new StartFailure(
      `There is no installation in DATA_DIR (${config.dataDir}). Set DATA_DIR as the server has it.`,
    )
  }
  return (await command.run({config, argument, write})) ?? 0
}
