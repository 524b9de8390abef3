export { emailChangedEmail, linkEmail } from './email.ts'
export { addLimited, TooManyMails } from './limited.ts'
