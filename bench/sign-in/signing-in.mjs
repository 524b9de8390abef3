// Users who sign in one after another: page, form, redirect and token, like a browser and its application.
import { Agent } from 'node:http'
import { signInOnce } from './visiting.mjs'

process.on('message', async ({ origin, clientId, people, atOnce, seconds }) => {
  const agent = new Agent({ keepAlive: true })
  const times = []
  const problems = []
  const began = performance.now()
  const until = began + seconds * 1000
  const oneAfterAnother = async (person) => {
    while (performance.now() < until) {
      const start = performance.now()
      await signInOnce({ agent, origin, clientId, person }).then(
        () => times.push(performance.now() - start),
        (error) => problems.push(String(error)),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, index) => oneAfterAnother(people[index % people.length])))
  const took = (performance.now() - began) / 1000
  agent.destroy()
  process.send({ perSecond: times.length / took, times, problems: problems.slice(0, 3), failed: problems.length })
})
