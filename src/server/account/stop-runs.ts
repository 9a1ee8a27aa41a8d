import {and, eq} from 'drizzle-orm'
import type {AiService} from '../ai/ai-service.ts'
import {answerRuns} from '../ai/answers/answer-store.ts'
import {stopAnswer} from '../ai/answers/stop-answer.ts'
import type {Identity} from '../auth/identity.ts'
import {HttpFailure} from '../http/failure.ts'
import type {MediaService} from '../media/media-service.ts'
import {deleteTask} from '../media/task-commands.ts'
import {taskRuns} from '../media/task-store.ts'
import {isOpen} from '../runs/run-store.ts'
import {answers} from '../store/schema/chat.ts'
import {tasks} from '../store/schema/media.ts'

/** The request that closes an account and its job run at the same time: what one of them deleted is done for both. */
function passMissing(error: unknown): void {
  if (!(error instanceof HttpFailure && error.status === 404)) throw error
}

type Services = {ai: Pick<AiService, 'answers'>; media: Pick<MediaService, 'commands'>}

/** Stops every answer and task of a user, as the user's own stop does; resolves once the ends are stored. */
export const createStopRuns =
  ({ai, media}: Services) =>
  async (userId: string): Promise<void> => {
    const {database} = ai.answers
    const open = await database.asSystem(async (transaction) => ({
      answers: await transaction
        .select({id: answers.id})
        .from(answers)
        .where(and(eq(answers.userId, userId), isOpen(answerRuns))),
      tasks: await transaction
        .select({id: tasks.id, service: tasks.service})
        .from(tasks)
        .where(and(eq(tasks.userId, userId), isOpen(taskRuns))),
    }))
    for (const {id} of open.answers) await stopAnswer(ai.answers, {answerId: id, userId})
    const identity: Identity = {
      userId,
      role: 'member',
      familyId: undefined,
      credentialId: undefined,
      applicationId: undefined,
    }
    for (const {id, service} of open.tasks)
      await deleteTask(media.commands, {service, identity, base: ''}, {action: 'delete', id}).catch(passMissing)
  }
