import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { putTold } from './put-told.ts'

const queryKey = ['recorders', 7, 'status']

describe('a state that the server tells', () => {
  const queries = new QueryClient()
  let stop: () => void = () => undefined
  afterEach(() => {
    stop()
    queries.clear()
  })

  /** A screen that asks; each question is answered by hand. */
  const ask = () => {
    const answers: ((reply: string) => void)[] = []
    const queryFn = ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        answers.push(resolve)
      })
    stop = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined)
    return answers
  }
  const known = () => queries.getQueryData(queryKey)

  test('takes the place of a reply that is still on its way', async () => {
    const answers = ask()
    await putTold<string>(queries, queryKey, () => 'told')
    answers[0]?.('older')
    await vi.waitFor(() => expect(known()).toBe('told'))
    expect(answers).toHaveLength(1)
  })

  test('that says nothing of what is asked for the first time makes it be asked for again', async () => {
    const answers = ask()
    await putTold<string>(queries, queryKey, (before) => before)
    expect(answers).toHaveLength(2)
    answers[1]?.('newer')
    await vi.waitFor(() => expect(known()).toBe('newer'))
  })

  test('changes what is known, without another question', async () => {
    const answers = ask()
    answers[0]?.('known')
    await vi.waitFor(() => expect(known()).toBe('known'))
    await putTold<string>(queries, queryKey, (before) => before && `${before} and told`)
    expect(known()).toBe('known and told')
    expect(answers).toHaveLength(1)
  })

  test('asks for nothing that no screen shows', async () => {
    await putTold<string>(queries, queryKey, (before) => before)
    expect(queries.getQueryState(queryKey)).toBeUndefined()
  })
})
