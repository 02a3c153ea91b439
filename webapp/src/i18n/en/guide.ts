import type { guide as original } from '../guide'
import type { Translation } from '../translation'

/** The texts of the guide for publishers, at /publicar. */
export const guide = {
  title: 'How to publish',
  text: 'A school tells the parents, a choir moves a rehearsal, a shop closes early. All in the browser, on a phone or a computer, with nothing to install.',
  create: 'Create a channel',
  demo: 'Try it first',
  parts: {
    begin: {
      title: 'Begin a channel',
      texts: [
        'Sign in and tap “Create a channel”. Say who publishes, which can be a school, a group or just your name, and what the channel is called.',
        'Choose a category and who can see it: everyone, whoever has the address, or only people you invite. Add a picture if you like. It is ready at once.',
      ],
      picture: 'The form of a new channel, with who publishes and the channel’s name.',
    },
    write: {
      title: 'Write',
      texts: [
        'Write as in a message: the first line is the title. You can add a picture, a link, and until when the notification holds.',
        'After you tap “Publish” you have ten seconds to undo it, and nothing leaves until then. What you leave half-written is saved, and waits for you on your other devices.',
      ],
      picture: 'The field to write in, with buttons to add a link, a picture, an end and a time.',
    },
    readers: {
      title: 'See what they will see',
      texts: [
        'While you write, you see what the notification looks like on a lock screen and in the list of whoever gets it.',
        'Once published, you see how many devices it reached and what failed. Made a mistake? Correct the notification, or withdraw it.',
      ],
      picture: 'The same notification on the lock screen of a phone and in the list of notifications.',
    },
    scheduled: {
      title: 'Leave it for later',
      texts: [
        'With “Publish later” you choose the day and the time. Until then you can change the text, publish at once or give up.',
        'What you say often can be a template: next time you fill in only what has changed.',
      ],
      picture: 'A notification that waits for its time, with buttons to publish now, change it or not publish it.',
    },
    people: {
      title: 'Publish with others',
      texts: [
        'Invite people by email. Some can publish: they write and look after the channels. Owners also invite and remove people.',
        'Nobody publishes before they have accepted the invitation.',
      ],
      picture: 'The people who publish, and an invitation that waits for an answer.',
    },
    poster: {
      title: 'Let people know',
      texts: [
        'Each channel has a poster to print and pin up. Whoever points the camera of a phone at the code gets to the channel and starts to receive.',
        'You can also send the channel’s address in a message, or put it on your website.',
      ],
      picture: 'The poster of a channel, with the code and what to do.',
    },
    private: {
      title: 'For some people only',
      texts: [
        'A private channel does not exist for anyone who was not invited. Invite by email, or send a link that lets people in once you have accepted them.',
        'You see who is in the channel, and can remove somebody at any time.',
      ],
      picture: 'The members of a private channel, somebody who asks to join, and the invitations.',
    },
  },
  programs: {
    title: 'When a program publishes',
    text: 'The school’s website, the shop’s system or a script can publish too. In the channel, under “Programs”, you create an address for your service to send to; for programmers there are keys, a command line and libraries.',
    link: 'Documentation for programs',
  },
} as const satisfies Translation<typeof original>
