export { sendMails } from './send-mails.ts'
export { type ReceivedMail, type SmtpReceiver, startSmtpReceiver } from './smtp-receiver.ts'
