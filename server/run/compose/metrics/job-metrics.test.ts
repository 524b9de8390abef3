import { testDatabase } from '@sightline/platform/db-testing'
import { enqueue } from '@sightline/platform/jobs'
import { runJobs } from '@sightline/platform/jobs/testing'
import { fail } from '@sightline/platform/result'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { jobMetrics, listJobProblems, registerJobMetrics } from './job-metrics.ts'

test('operators see how many jobs of each task wait and how many failed permanently, and get a problem for those', async () => {
  await using database = await testDatabase()
  const put = (mailId: number) =>
    database.db('auth').transaction((tx) => enqueue(tx, { task: 'sendMail', payload: { accountId: 7, mailId } }))
  const refuse = async () => fail({ reason: 'refused', retry: { kind: 'never' } } as const)
  const metrics = jobMetrics(database.db('jobs'))
  await put(1)
  expect(await metrics.problems()).toEqual([])
  await runJobs(database.connection, { sendMail: { run: refuse } })
  await put(2)
  const registry = new Registry()
  registerJobMetrics(registry, metrics)
  const text = await registry.metrics()
  expect(text).toMatch(/^sightline_jobs_waiting\{task="sendMail"\} 1$/m)
  expect(text).toMatch(/^sightline_jobs_running\{task="sendMail"\} 0$/m)
  expect(text).toMatch(/^sightline_jobs_failed\{task="sendMail"\} 1$/m)
  expect(text).toMatch(/^sightline_jobs_longest_wait_seconds\{task="sendMail"\} \d/m)
  expect(await metrics.problems()).toEqual(['1 job of sendMail failed permanently: see the log'])
})

test('without a database answer there are no lines and no second problem', () => {
  expect(listJobProblems([])).toEqual([])
})
