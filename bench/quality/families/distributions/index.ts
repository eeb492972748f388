// A family on releases of Debian and Ubuntu: start of development, release, state
// on a day, end of each kind of support.
import { FamilyBuilder } from '../familyBuilder.js';
import { Judge } from './judgments.js';
import { releasesOf, tellChanges, tellReleases, tellStatus } from './data.js';
import { askReleases } from './releases.js';
import { askStates } from './states.js';
import type { Family, FamilyDefinition, Random } from '../family.js';

const unanswered: [Parameters<FamilyBuilder['ask']>[0], string, string, string?][] = [
  ['as_of', 'What was the stable release of Debian on 3 March 1992?', 'Debian'],
  ['as_of', 'newest LTS release of Ubuntu as of 2005-05-05', 'Ubuntu'],
  ['as_of', 'As of May 9, 2011, what was the newest release of Fedora?', 'Fedora'],
  ['as_of', 'Which release of Slackware was the latest on 1 January 2001?', 'Slackware'],
  ['current', 'What is the current release of openSUSE?', 'openSUSE', '2015-10-10'],
  ['current', 'current Linux Mint version', 'Linux Mint', '2012-12-01'],
  ['current', 'What is the current stable release of Debian?', 'Debian', '1994-07-01'],
  ['latest', 'What is the latest release of Ubuntu?', 'Ubuntu', '2003-08-15'],
  ['latest', 'newest CentOS release', 'CentOS', '2014-09-09'],
  ['when', 'When does ELTS support of Debian Woody end?', 'Debian 3.0'],
  ['when', 'Until when was there Expanded Security Maintenance for Ubuntu 9.10?', 'Ubuntu 9.10'],
  ['when', 'When was Ubuntu 4.04 released?', 'Ubuntu 4.04'],
  ['when', 'release date of Debian 17', 'Debian 17'],
  ['when', 'When did LTS support of Debian Potato end?', 'Debian 2.2'],
  ['first', 'What was the first release of Gentoo?', 'Gentoo'],
  ['first_after', 'Which Fedora release was the first after 1 July 2016?', 'Fedora'],
  ['last_before', 'What came before Debian Buzz?', 'Debian 1.1'],
  ['in', 'Which Ubuntu release came out in 1999?', 'Ubuntu'],
  ['in', 'Which Debian releases lost regular security support in 1995?', 'Debian'],
  ['between', 'Which releases of Arch Linux appeared between 2010 and 2012?', 'Arch Linux'],
  ['since', 'What has Mandriva released since 2011?', 'Mandriva'],
  [
    'before_date',
    'Ten months before January 2004, what was the newest release of Ubuntu?',
    'Ubuntu',
  ],
  ['undated', 'How many packages does Ubuntu Karmic Koala have?', 'Ubuntu 9.10'],
];

export const distributions: FamilyDefinition = {
  name: 'distributions',
  description: 'releases of Debian and Ubuntu: development, release, ends of support',
  sources: [{ registry: 'Debian', package: 'distro-info-data', license: 'ISC' }],
  build([folder]: string[], random: Random): Family {
    const family = new FamilyBuilder('d', random);
    const releases = releasesOf(folder!);
    const facts = tellReleases(family, releases, random);
    const pages = tellStatus(family, releases, random);
    const judge = new Judge(family, releases, facts, pages, tellChanges(family, folder!));
    askStates(judge, random);
    askReleases(judge, random);
    for (const [operator, question, entity, asked] of unanswered)
      family.ask(operator, [question], {
        entity,
        answers: [],
        relevant: {},
        ...(asked ? { asked_at: asked } : {}),
      });
    return family;
  },
};
