import {chatServiceId} from '#contract/chat.ts'

export const snippetLanguages = ['curl', 'typescript', 'python'] as const
export type SnippetLanguage = (typeof snippetLanguages)[number]

/** What the examples ask for. Each service has an id, by which an application of that service alone is matched. */
export const snippetOperations = [
  {id: 'chat', serviceId: chatServiceId},
  {id: 'image', serviceId: 'e8ebe055-429a-48e9-9d34-5089eae5fd89'},
  {id: 'video', serviceId: 'b0761231-74e6-42d3-a095-c1987a61e900'},
  {id: 'song', serviceId: 'f2b646d8-3cfd-46ef-969a-1ea9eebde329'},
] as const
export type SnippetOperation = (typeof snippetOperations)[number]['id']

type Body = Readonly<Record<string, string | number | boolean>>
type TaskCall = {path: string; tasks: string; body: Body}

/** Calls that make a task (contract/media §1). `async` answers with its id at once. */
export const taskCalls: Readonly<Record<Exclude<SnippetOperation, 'chat'>, TaskCall>> = {
  image: {path: '/flux/images', tasks: '/flux/tasks', body: {prompt: 'A lighthouse at dawn', async: true}},
  video: {
    path: '/sora/videos',
    tasks: '/sora/tasks',
    body: {prompt: 'Waves roll onto a beach', duration: 10, async: true},
  },
  song: {path: '/suno/audios', tasks: '/suno/tasks', body: {prompt: 'A calm song about the sea', async: true}},
}

export type SnippetInput = {
  language: SnippetLanguage
  operation: SnippetOperation
  /** Base URL of the AI service. */
  base: string
  /** A chat model that this installation serves. */
  model: string
}

/** A program that makes one call with the key in `ATRIUM_API_KEY`, and follows its task to the end. */
export const snippetOf = ({language, operation, base, model}: SnippetInput): string => {
  if (operation !== 'chat') return taskSnippets[language](base, taskCalls[operation])
  return chatSnippets[language](base, {model, question: 'What is the colour of the sea?'})
}

const json = (body: Body) => JSON.stringify(body)

/** Quoted for a shell: nothing inside is expanded. */
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** As a literal of Python: texts and numbers are written as in JSON, booleans begin with a capital. */
const python = (body: Body) =>
  `{${Object.entries(body)
    .map(([name, value]) => `${pythonValue(name)}: ${pythonValue(value)}`)
    .join(', ')}}`
const pythonValue = (value: string | number | boolean) =>
  value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)

/** As a literal of TypeScript. */
const typescript = (body: Body) =>
  `{${Object.entries(body)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? quoted(value) : String(value)}`)
    .join(', ')}}`
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const chatSnippets: Record<SnippetLanguage, (base: string, body: Body) => string> = {
  curl: (base, body) => `curl -sS ${shell(`${base}/aichat/conversations`)} \\
  -H "authorization: Bearer $ATRIUM_API_KEY" \\
  -H 'content-type: application/json' \\
  -H 'accept: application/json' \\
  -d ${shell(json(body))}
`,
  typescript: (base, body) => `const response = await fetch(${quoted(`${base}/aichat/conversations`)}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.ATRIUM_API_KEY}\`,
    'content-type': 'application/json',
    accept: 'application/json',
  },
  body: JSON.stringify(${typescript(body)}),
})
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())
`,
  python: (base, body) => `import json
import os
import urllib.request

request = urllib.request.Request(
    ${pythonValue(`${base}/aichat/conversations`)},
    data=json.dumps(${python(body)}).encode(),
    headers={
        "authorization": f"Bearer {os.environ['ATRIUM_API_KEY']}",
        "content-type": "application/json",
        "accept": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))
`,
}

const taskSnippets: Record<SnippetLanguage, (base: string, call: TaskCall) => string> = {
  curl: (base, {path, tasks, body}) => `base=${shell(base)}
call() {
  curl -sS --fail-with-body "$base$1" -d "$2" \\
    -H "authorization: Bearer $ATRIUM_API_KEY" \\
    -H 'content-type: application/json'
}

created=$(call ${path} ${shell(json(body))}) &&
  id=$(sed 's/.*"task_id":"\\([^"]*\\)".*/\\1/' <<< "$created") &&
  while task=$(call ${tasks} "{\\"action\\": \\"retrieve\\", \\"id\\": \\"$id\\"}") &&
    ! grep -q '"finished_at"' <<< "$task"; do sleep 2; done
echo "\${task:-$created}"
`,
  typescript: (base, {path, tasks, body}) => `const base = ${quoted(base)}

async function call(path: string, body: object) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${process.env.ATRIUM_API_KEY}\`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as {task_id: string; finished_at?: number; response?: object}
}

const {task_id: id} = await call('${path}', ${typescript(body)})
let task = await call('${tasks}', {action: 'retrieve', id})
while (task.finished_at === undefined) {
  await new Promise((resolve) => setTimeout(resolve, 2000))
  task = await call('${tasks}', {action: 'retrieve', id})
}
console.log(task.response)
`,
  python: (base, {path, tasks, body}) => `import json
import os
import time
import urllib.request

base = ${pythonValue(base)}


def call(path, body):
    request = urllib.request.Request(
        base + path,
        data=json.dumps(body).encode(),
        headers={
            "authorization": f"Bearer {os.environ['ATRIUM_API_KEY']}",
            "content-type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


created = call("${path}", ${python(body)})
find = {"action": "retrieve", "id": created["task_id"]}
task = call("${tasks}", find)
while "finished_at" not in task:
    time.sleep(2)
    task = call("${tasks}", find)
print(json.dumps(task["response"], indent=2))
`,
}
