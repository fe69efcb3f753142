// Whole systems without word inputs: any part that is added overrides theirs, in any order.
{
  // The tagger of the hinge family, without its loss: character BiLSTM, BiLSTM, a dense layer, CRF.
  hinge_tagger: { system+:: $.scheme('BIO') + $.tagger + $.character_bilstm(25, 25)
                            + $.bilstm(100, embedding_dropout=0.5, dropout=0.5) + $.fusion(100) + $.crf + {
    data_loader+: { batch_size: 20 },
    trainer+: { num_epochs: 20, patience: 5, grad_norm: false },
  } },

  // RoSeq's base: character CNN with highway layers, BiLSTM, fusion, CRF.
  roseq_base: { system+:: $.scheme('BIOES') + $.tagger + $.characters()
                          + $.bilstm(100, embedding_dropout=0.2, dropout=0.5) + $.fusion(100) + $.crf + $.nll + $.inverse_decay() },

  // What RoSeq adds to its base. The paper does not bound zeta, sums the focal loss over tokens, and uses an absolute
  // epsilon of 5; with the settings here, the three together beat the base on the development data of WNUT-16.
  roseq_lacrf: $.label_aware_crf(tau=0.25, max_zeta=4.0),
  roseq_focal: $.plus_focal(gamma=2.0, reduction='mean'),
  roseq_adversarial: $.adversarial_training(epsilon=0.03, norm='relative'),

  // Stronger, for word vectors that are learned with the model and overfit; selected on Dutch CoNLL-2002.
  roseq_strong_adversarial: $.adversarial_training(epsilon=0.12, norm='relative'),

  // The three additions with the values of the paper, for 50 epochs without early stopping.
  roseq_paper: $.label_aware_crf(tau=0.25) + $.plus_focal(gamma=2.0) + $.adversarial_training(epsilon=5.0)
               + { trainer+: { num_epochs: 50, patience: null } },

  // For tweets: encodings of rare words share a vector; larger batches with a higher learning rate, and no early
  // stopping. Without fusion, as in the commands that the authors published for tweets; and with Brown clusters.
  tweets(epochs=12): $.glove + $.more_glove + $.orthography(min_count=10) + $.batches(32) + {
    trainer+: { num_epochs: epochs, patience: null, optimizer+: { lr: 0.002 } },
  },
  without_fusion: { model+: { feedforward: null } },
  clustered_tweets: $.tweets(10) + $.brown_clusters(),

  // RoSeq's additions for tweets: the focal loss of the published code, and a stronger perturbation of every input
  // except clusters.
  tweet_focal: $.plus_focal(gamma=2.0, reduction='mean', wrong_labels=true),
  tweet_adversarial(words=0.12, characters=0.1): $.adversarial_training(norm='relative', epsilon={
    words: words,
    more_words: words,
    characters: characters,
    orthographic_words: characters,
    orthographic_characters: characters,
  }),

  // RoSeq for tweets, with these values: for use.tweets(30) + use.roseq_base + use.moving_average(0.99), and best with
  // use.priced_margin(3, false_positive=0) instead of the likelihood.
  tweet_roseq: $.roseq_lacrf + $.roseq_focal + $.tweet_adversarial(),
}
